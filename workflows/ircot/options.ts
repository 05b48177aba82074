import { z } from 'zod';
import { whole } from '../../core/options/ranges.js';
import type { PassageRef } from '../../core/vocabulary.js';

const demonstration = z.strictObject({
  question: z.string().min(1),
  thoughts: z.array(z.string().min(1)).min(1).max(20),
  answer: z.string().min(1),
});

export const options = z
  .strictObject({
    passages: whole(1, 50)
      .default(4)
      .describe('K, passages retrieved by the question and by each thought (the paper: 4 to 6)'),
    maxPassages: whole(1, 200).default(15).describe('M, passages gathered at most (the paper: 15)'),
    maxThoughts: whole(1, 20).default(8).describe('T, thoughts at most (the paper: 8)'),
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

/** A sentence of the chain of thought, with the new passages that it found. */
export interface Thought {
  text: string;
  /** Ids. */
  brought: string[];
}

/**
 * Why the thoughts ended: an answer; the most passages or thoughts; a repeated thought; two without
 * a new passage; or an unreadable output.
 */
export type ThinkingEnd =
  | 'answer'
  | 'passages'
  | 'thoughts'
  | 'repeated'
  | 'nothingNew'
  | 'unreadable';

export interface IrcotChain {
  /** All gathered passages in their order: what was read in the end. */
  passages: PassageRef[];
  thoughts: Thought[];
  ended: ThinkingEnd;
  /**
   * The conclusion of the thoughts, null if there is none; the answer is read from the passages.
   */
  concluded: string | null;
  /** The reader's thoughts before its answer; null unless it reads by chain of thought. */
  reasoning: string | null;
  /** The reader's answer as read; null when it could not be read. */
  reading: string | null;
}
