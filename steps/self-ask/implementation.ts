import { implementStep, inParts, type ModelOutput } from '../define.js';
import { parseReading } from '../read/implementation.js';
import { wholeLines } from '../reading/cut.js';
import { bareText } from '../reading/plain.js';
import { asksNothing } from '../reading/refusal.js';
import { sentenceAnswer } from '../reading/stated-answer.js';
import type { AnsweredFollowUp } from '../rendering/chain-text.js';
import type * as declared from './step.js';

export const selfAsk = implementStep<typeof declared.selfAsk>({
  prompt: 'self-ask',
  maxTokens: 512,
  sampling: ({ sample }) => ({ temperature: sample?.temperature ?? 0 }),
  sample: ({ sample }) => sample?.k ?? 0,
  variables: ({ question, maxFollowUps }) => ({ question, count: String(maxFollowUps) }),
  parse: parseChain,
  fallback: () => null,
  costliest(longest, { maxFollowUps }) {
    const [answer = '', ...parts] = inParts(longest, 2 * maxFollowUps + 1);
    const followUps = parts.flatMap((question, i) =>
      i % 2 === 0 ? [{ question, answer: parts[i + 1] ?? null }] : [],
    );
    return { followUps, answer };
  },
});

/**
 * The last final answer, and the follow-ups before it, each with the first answer after it, however
 * that is labelled. Undefined when there is no final answer, or it was cut.
 */
export function parseChain(
  output: Pick<ModelOutput, 'text' | 'cut'>,
): declared.WrittenChain | undefined {
  const lines = chainLines(output);
  const end = lines.findLastIndex(({ kind }) => kind === 'final');
  const final = lines[end];
  if (!final) return undefined;
  const followUps: AnsweredFollowUp[] = [];
  for (const { kind, text: said } of lines.slice(0, end)) {
    const open = followUps.at(-1);
    if (kind === 'followUp') followUps.push({ question: said, answer: null });
    else if (open) open.answer ??= said;
  }
  return { followUps, answer: final.text };
}

/** What labels begin with, wherever a model puts them on one line. */
const INLINE =
  /(?<=[.?!)”"])[ \t]+(?=(?:follow[-\s]?up(?: question)?|intermediate answer|(?:so,? )?(?:the )?final answer)\b)/gi;
/** Bullets, quotes and numbers before a label. */
const BEFORE = String.raw`^[^\p{L}\p{N}]{0,10}(?:\d{1,2}[.)] ?)?[^\p{L}\p{N}]{0,4}`;
const SAID = `["”']? ?(?<said>.*)$`;
const LABELS: [declared.ChainLine['kind'], RegExp][] = [
  [
    'intermediate',
    new RegExp(
      String.raw`${BEFORE}intermediate answer(?: to [^:]{0,200}| ?#?\d{1,2})? ?(?::|is(?![\p{L}\p{N}]):?)${SAID}`,
      'iu',
    ),
  ],
  [
    'followUp',
    new RegExp(
      String.raw`${BEFORE}(?:(?:next |first |second |third )?follow[-\s]?ups?(?: question)?|sub-?question)(?: ?#?\d{1,2})? ?:${SAID}`,
      'iu',
    ),
  ],
  [
    'final',
    new RegExp(
      String.raw`${BEFORE}(?:so,? |therefore,? |thus,? |hence,? )?(?:the )?(?:final )?answer(?: to the (?:original )?question)? ?(?<sign>:|is(?![\p{L}\p{N}]) ?:?|=)${SAID}`,
      'iu',
    ),
  ],
];

/** The labelled whole lines of an output that say something; a label alone labels the next line. */
export function chainLines(output: Pick<ModelOutput, 'text' | 'cut'>): declared.ChainLine[] {
  const lines = linesOf(output);
  return lines.flatMap((line, i) => {
    const found = labelled(line);
    if (!found) return [];
    const below = lines[i + 1] ?? '';
    const said = found.text.trim() === '' && !labelled(below) ? below : found.text;
    const read = found.clause ? sentenceAnswer(said) : parseReading(said);
    if (!read) return [];
    return found.kind === 'followUp' && !asks(read) ? [] : [{ kind: found.kind, text: read }];
  });
}

/** Not "None", no refusal, and not the form as it was shown. */
function asks(followUp: string): boolean {
  const isForm = /^(?:the next|a) question$/i.test(followUp);
  return !isForm && !asksNothing(followUp);
}

/** The lines of an output without those that have a label. */
export function unlabelledLines(output: Pick<ModelOutput, 'text' | 'cut'>): string[] {
  return linesOf(output).filter((line) => !labelled(line));
}

function linesOf(output: Pick<ModelOutput, 'text' | 'cut'>): string[] {
  return bareText(wholeLines(output))
    .replace(INLINE, '\n')
    .split('\n')
    .filter((line) => line.trim() !== '');
}

/** `clause` where a verb labels the line: "the answer is not Bell" names no answer. */
function labelled(line: string): (declared.ChainLine & { clause: boolean }) | undefined {
  for (const [kind, pattern] of LABELS) {
    const match = pattern.exec(line);
    const { said = '', sign = '' } = match?.groups ?? {};
    if (match) return { kind, text: said, clause: kind === 'final' && !/[:=]/.test(sign) };
  }
  return undefined;
}
