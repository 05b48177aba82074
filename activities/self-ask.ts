/** Self-ask in one call: all follow-ups, their intermediate answers and the final answer. */
import type { Sample } from '../methods/baselines/samples.js';
import type { AnsweredFollowUp } from './chain-text.js';
import { parseReading } from './read.js';
import { defineStep } from './step.js';

export interface SelfAskInput {
  question: string;
  /** M, how many follow-ups to ask at most. */
  maxFollowUps: number;
  /** Which chain; the only one when left out. */
  sample?: Sample;
}

/** A chain as one call wrote it. */
export interface WrittenChain {
  followUps: AnsweredFollowUp[];
  answer: string;
}

/** Null when the output stayed unreadable. */
export const selfAsk = defineStep<SelfAskInput, WrittenChain | null>({
  prompt: 'self-ask',
  maxTokens: 512,
  sampling: ({ sample }) => ({ temperature: sample?.temperature ?? 0 }),
  sample: ({ sample }) => sample?.k ?? 0,
  variables: ({ question, maxFollowUps }) => ({ question, count: String(maxFollowUps) }),
  parse: ({ text }) => parseChain(text),
  fallback: () => null,
});

/**
 * The last final answer, and the follow-ups before it, each with the first answer after it, however
 * that is labelled. Undefined when there is no final answer.
 */
export function parseChain(text: string): WrittenChain | undefined {
  const lines = chainLines(text);
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

/** One labelled line of a chain. */
export interface ChainLine {
  kind: 'followUp' | 'intermediate' | 'final';
  text: string;
}

/** What labels begin with, wherever a model puts them on one line. */
const INLINE =
  /(?<=[.?!)”"])[ \t]+(?=(?:follow[-\s]?up(?: question)?|intermediate answer|(?:so,? )?(?:the )?final answer)\b)/gi;
const LABELS: [ChainLine['kind'], RegExp][] = [
  [
    'intermediate',
    /^\W*(?:\d+[.)]\s*)?intermediate answer(?: to [^:]*| ?#?\d+)?\s*(?::|is\b:?)\s*(.*)$/i,
  ],
  [
    'followUp',
    /^\W*(?:\d+[.)]\s*)?(?:(?:next |first )?follow[-\s]?ups?(?: question)?|sub-?question)(?: ?#?\d+)?\s*:\s*(.*)$/i,
  ],
  [
    'final',
    /^\W*(?:so,? |therefore,? |thus,? |hence,? )?(?:the )?(?:final )?answer(?: to the (?:original )?question)?\s*(?::|is\b:?|=)\s*(.*)$/i,
  ],
];
const NO_FOLLOW_UP =
  /^\W*(?:none|no|n\/a|not? (?:needed|required|necessary))\b(?=\W|$)(?:\s*(?:more|further|needed|required|necessary|follow[- ]?ups?|questions?|are|is)\b)*\W*$/i;

/** The labelled lines of an output that say something; a label alone labels the line after it. */
export function chainLines(text: string): ChainLine[] {
  const lines = linesOf(text);
  return lines.flatMap((line, i) => {
    const found = labelled(line);
    if (!found) return [];
    const below = lines[i + 1] ?? '';
    const said = found.text.trim() === '' && !labelled(below) ? below : found.text;
    const read = parseReading(said);
    if (read === undefined) return [];
    return found.kind === 'followUp' && NO_FOLLOW_UP.test(read)
      ? []
      : [{ kind: found.kind, text: read }];
  });
}

/** The lines of an output without those that have a label. */
export function unlabelledLines(text: string): string[] {
  return linesOf(text).filter((line) => !labelled(line));
}

function linesOf(text: string): string[] {
  return text
    .replace(/\*\*|__|`/g, '')
    .replace(INLINE, '\n')
    .split('\n')
    .filter((line) => line.trim() !== '');
}

function labelled(line: string): ChainLine | undefined {
  for (const [kind, pattern] of LABELS) {
    const match = pattern.exec(line);
    if (match) return { kind, text: match[1] ?? '' };
  }
  return undefined;
}
