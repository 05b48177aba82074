import { z } from 'zod';
import { whole } from '../../../core/options/ranges.js';
import type { PassageRef } from '../../../core/vocabulary.js';

/** Options of the methods that ask follow-up questions. */
export const followUpOptions = {
  passages: whole(0, 200)
    .default(5)
    .describe(
      'N, passages retrieved for a follow-up (ALLIES table 1: 1, 5 or 10); 0 writes a whole chain in one call, without retrieval, the form of ALLIES (table 4)',
    ),
  maxFollowUps: whole(1, 10)
    .default(4)
    .describe('M, follow-ups of a chain at most (ALLIES names no number: ours)'),
};

export const options = z.strictObject(followUpOptions);

export type SelfAskOptions = z.output<typeof options>;

/** A follow-up question with its intermediate answer. */
export interface FollowUp {
  question: string;
  /** What was retrieved for it. */
  passages: PassageRef[];
  /** Null when it could not be read. */
  answer: string | null;
}

export interface SelfAskChain {
  followUps: FollowUp[];
  /** The final answer as read; null when it could not be read. */
  answer: string | null;
}
