import { implementStep, type ModelOutput } from '../define.js';
import { bareText } from '../reading/plain.js';
import { withoutPreamble } from '../reading/preamble.js';
import { isRefusal, saysNothing } from '../reading/refusal.js';
import { withoutQuestion } from '../reading/repeated-question.js';
import { letter, lettered } from '../reading/text.js';
import type * as declared from './step.js';

export const summarize = implementStep<typeof declared.summarize>({
  prompt: 'summarize',
  maxTokens: 384,
  passages: (input) => input.passages,
  variables: ({ question, candidates, k }) => ({
    question,
    choices: lettered(candidates, ' '),
    prediction: `(${letter(k)}) ${candidates[k] ?? ''}`,
  }),
  parse: (output, { question }) => parseFinishedSummary(output, question),
  fallback: ({ text }, { question }) => parseSummary(text, question) ?? '',
});

/** In square brackets however it is written, "[/DONE]" too; in others as it was asked for. */
const MARKER = /(?:\*\*)?(?:\[ ?\/? ?[Dd](?:one|ONE) ?\]|<\/?DONE>|\(DONE\))(?:\*\*)?/;

/** The prediction given back before the passage. */
const PREDICTION = /^prediction ?: ?[^\n]{1,200}\n\s?/i;

/** By itself at the end, after a sentence: not the last word of "THE WORK WAS DONE". */
const BARE_MARKER = /(?:^|[.!?]["”’)\]]?\s|\n)DONE[.\]]?$/;

/**
 * The passage without the done marker, what follows it, a heading, and the question before it;
 * undefined when empty.
 */
export function parseSummary(text: string, question = ''): string | undefined {
  const passage = withoutPreamble(withoutQuestion(bareText(upToMarker(bareText(text))), question))
    .replace(PREDICTION, '')
    .replace(/^(?:\*\*)?(?:passage|response|summary) ?:(?:\*\*)?/i, '')
    .trim();
  return /[\p{L}\p{N}]/u.test(passage) ? passage : undefined;
}

/** The same; undefined also when it was cut before its done marker, and for a refusal. */
export function parseFinishedSummary(
  { text, cut }: ModelOutput,
  question = '',
): string | undefined {
  const summary = cut && !MARKER.test(text) ? undefined : parseSummary(text, question);
  return summary === undefined || saysNothing(summary) || isRefusal(summary) ? undefined : summary;
}

function upToMarker(text: string): string {
  // One that stands before the passage is out of its place.
  const marked =
    text
      .split(MARKER)
      .map((part) => part.trim())
      .find((part) => part !== '') ?? '';
  const bare = BARE_MARKER.exec(marked);
  return bare ? marked.slice(0, -'DONE'.length - (/\W$/.test(marked) ? 1 : 0)).trim() : marked;
}
