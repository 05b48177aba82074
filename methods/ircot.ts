/** IRCoT: options, what a question costs, and what led to its answer. Pure. */

import { z } from 'zod';
import type { Method } from './method.js';
import { type Given, type PlannedCall, times } from './planned-call.js';
import type { PassageRef } from './vocabulary.js';

const demonstration = z.strictObject({
  question: z.string().min(1),
  thoughts: z.array(z.string().min(1)).min(1).max(20),
  answer: z.string().min(1),
});

/** A question with the thoughts that led to its answer. */
export type ThoughtDemonstration = z.output<typeof demonstration>;

const options = z
  .strictObject({
    passages: z
      .int()
      .min(1)
      .max(50)
      .default(4)
      .describe('K, passages retrieved by the question and by each thought (the paper: 4 to 6)'),
    maxPassages: z
      .int()
      .min(1)
      .max(200)
      .default(15)
      .describe('M, passages gathered at most (the paper: 15)'),
    maxThoughts: z.int().min(1).max(20).default(8).describe('T, thoughts at most (the paper: 8)'),
    reader: z
      .enum(['chainOfThought', 'direct'])
      .default('chainOfThought')
      .describe('how the gathered passages are read in the end (the paper has both; ours)'),
    demonstrations: z
      .array(demonstration)
      .max(20)
      .default([])
      .describe('questions with the thoughts that led to their answers (few-shot in the paper)'),
  })
  .refine(({ passages, maxPassages }) => passages <= maxPassages, {
    path: ['maxPassages'],
    error: 'must be at least passages, or what the question finds would not be kept',
  });

export type IrcotOptions = z.output<typeof options>;

/** "Interleaving Retrieval with Chain-of-Thought Reasoning for Knowledge-Intensive Multi-Step Questions". */
export const ircotMethod: Method<IrcotOptions> = {
  name: 'ircot',
  title: 'IRCoT: retrieval and chain of thought by turns, then read what was gathered',
  source: 'IRCoT (Trivedi et al., ACL 2023)',
  options,
  steps: ['nextThought', 'reason', 'read'],
  callsFormula: 'at most T + 1; searches: at most T + 1',
  calls: (chosen) => thoughtsOf(chosen) + 1,
  plan: planIrcot,
  figures: 'few-shot, with models no longer served: none stands beside the zero-shot form',
};

/** Thoughts at most: none where the question alone finds all that may be gathered. */
function thoughtsOf({ passages, maxPassages, maxThoughts }: IrcotOptions): number {
  return passages < maxPassages ? maxThoughts : 0;
}

/** A bound that few questions reach: passages grow as fast, and thoughts go on as long, as they can. */
function planIrcot(chosen: IrcotOptions, given: Given): PlannedCall[] {
  const { passages: count, maxPassages, reader, demonstrations } = chosen;
  const { question, available, passages, output } = given;
  const most = Math.min(maxPassages, available);
  // Each search may find the longest there are.
  const gathered = (searches: number) =>
    times(searches, () => passages(count))
      .flat()
      .slice(0, most);
  const thought = output('nextThought');
  const thoughts = thoughtsOf(chosen);
  const last = { question, passages: gathered(thoughts + 1) };
  return [
    { step: 'retrieve', input: { query: question } },
    ...times(thoughts, (i) => [
      {
        step: 'nextThought',
        input: {
          ...{ question, demonstrations },
          passages: gathered(i + 1),
          thoughts: times(i, () => thought),
        },
      },
      { step: 'retrieve', input: { query: thought } },
    ]).flat(),
    reader === 'direct'
      ? { step: 'read', input: { ...last, demonstrations: [] } }
      : { step: 'reason', input: last },
  ];
}

/** A sentence of the chain of thought, with what it found that was not there yet. */
export interface Thought {
  text: string;
  /** Ids. */
  brought: string[];
}

/**
 * Why no further thought was asked for: the thoughts came to an answer; as many passages or
 * thoughts as may be; a thought that repeats another; two that brought nothing new; or an output
 * that could not be read.
 */
export type ThinkingEnd =
  | 'answer'
  | 'passages'
  | 'thoughts'
  | 'repeated'
  | 'nothingNew'
  | 'unreadable';

export interface IrcotChain {
  /** All that were gathered, in the order in which they came: what was read in the end. */
  passages: PassageRef[];
  thoughts: Thought[];
  ended: ThinkingEnd;
  /** What the thoughts came to; it is read anew from the passages. Null where they came to none. */
  concluded: string | null;
  /** What the reader thought before its answer; null unless it reads by chain of thought. */
  reasoning: string | null;
  /** The reader's answer as read; null when it could not be read. */
  reading: string | null;
}
