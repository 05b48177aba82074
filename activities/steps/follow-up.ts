/** Self-ask, one step of a chain: the next follow-up question, or the final answer. */
import type { Sample } from '../../methods/baselines/samples.js';
import { type AnsweredFollowUp, renderFollowUps } from './chain-text.js';
import { parseReading } from './read.js';
import { type ChainLine, chainLines, unlabelledLines } from './self-ask.js';
import { defineStep, type ModelOutput } from './step.js';

export interface FollowUpInput {
  question: string;
  /** Oldest first. */
  history: AnsweredFollowUp[];
  /** Whether no more can be asked, so that the final answer is due. */
  last: boolean;
  /** Which chain; the only one when left out. */
  sample?: Sample;
}

/** What comes next in a chain. */
export type NextInChain = { followUp: string } | { answer: string };

/** Null when the output stayed unreadable; never a follow-up where the final answer is due. */
export const followUp = defineStep<FollowUpInput, NextInChain | null>({
  prompt: 'follow-up',
  maxTokens: 128,
  sampling: ({ sample }) => ({ temperature: sample?.temperature ?? 0 }),
  sample: ({ sample }) => sample?.k ?? 0,
  variables: ({ question, history, last }) => ({
    question,
    history: renderFollowUps(history),
    last: last ? 'yes' : '',
  }),
  parse: (output, { last }) => parseNext(output, last),
  fallback: () => null,
});

/**
 * The first whole follow-up or final answer of an output, whichever comes first: models go on and make up
 * the answer to their own question. Where the final answer is due, the last one there is.
 */
export function parseNext(
  output: Pick<ModelOutput, 'text' | 'cut'>,
  last: boolean,
): NextInChain | undefined {
  const lines = chainLines(output);
  const due = lines.filter(({ kind }) => kind !== 'intermediate');
  const next = last ? due.findLast(({ kind }) => kind === 'final') : due[0];
  if (next) return nextOf(next);
  if (due.length > 0) return undefined;
  // Without a label a question goes on, and anything else is an answer only where one is due.
  const unlabelled = unlabelledLines(output);
  const asks = unlabelled.find((line) => /[?？؟]\W*$/.test(line));
  const reading = parseReading(unlabelled.join('\n'));
  if (last) return reading === undefined || asks ? undefined : { answer: reading };
  const question = asks && parseReading(asks);
  return question ? { followUp: question } : undefined;
}

function nextOf({ kind, text }: ChainLine): NextInChain {
  return kind === 'final' ? { answer: text } : { followUp: text };
}
