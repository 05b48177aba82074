import { implementStep, type ModelOutput } from '../define.js';
import { wholeLines, wholeSentences } from '../reading/cut.js';
import { bareText, withoutItemMark } from '../reading/plain.js';
import { asksNothing } from '../reading/refusal.js';
import type * as declared from './step.js';

export const missingInfoQuery = implementStep<typeof declared.missingInfoQuery>({
  prompt: {
    among: ['missing-info-question', 'missing-info-passage'],
    of: ({ style }) => `missing-info-${style}`,
  },
  maxTokens: 256,
  passages: (input) => input.passages,
  variables: ({ question }) => ({ question }),
  parse: (output, { style }) =>
    style === 'question' ? parseNewQuestion(output) : parseNewPassage(output),
  fallback: () => null,
});

const PREAMBLE =
  /^(?:(?:sure|certainly|of course|okay)[^\n]{0,80}?[:!.]\s+)?(?:(?:here(?: is|'s|’s)|below is|the following)[^\n:]{0,80}:\s*)?(?:\(?(?:(?:a|the|my) )?(?:(?:new|missing|follow-up|correct|hypothetical) ){0,2}(?:info(?:rmation)? |answering )?(?:question|query|passages?|answer)(?: is)?\)?\s*(?:\d+\s*)?:\s*)?/i;

/**
 * The passage on one line, without preamble, labels and quotes; of one that was cut the whole
 * sentences, where there are any. Undefined when it says nothing, or is a refusal.
 */
export function parseNewPassage(output: Pick<ModelOutput, 'text' | 'cut'>): string | undefined {
  const passage = bare(wholeSentences(output) || output.text).replace(/\s+/g, ' ');
  return isText(passage) ? passage : undefined;
}

/** The first whole line that asks something, else the first that says something. */
export function parseNewQuestion(output: Pick<ModelOutput, 'text' | 'cut'>): string | undefined {
  const lines = bare(wholeLines(output))
    .split('\n')
    .map((line) => bare(withoutItemMark(line)).replace(/\s+/g, ' '))
    .filter(isText);
  return lines.find((line) => /[?？؟]$/.test(line)) ?? lines[0];
}

/** Whether there is something to search with: not "None", no refusal and no remark on the passages. */
function isText(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line) && !asksNothing(line);
}

function bare(text: string): string {
  const plain = bareText(text.replace(/<\/?passage[^<>]{0,40}>/gi, '')).replace(PREAMBLE, '');
  return bareText(plain);
}
