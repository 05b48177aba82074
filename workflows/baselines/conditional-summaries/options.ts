import { z } from 'zod';
import type { PassageRef } from '../../../core/vocabulary.js';
import { candidateCount, demonstrations, passageCount } from '../../options.js';

export const options = z.strictObject({
  passages: passageCount,
  candidates: candidateCount,
  demonstrations,
});

export type ConditionalSummariesOptions = z.output<typeof options>;

export interface ConditionalSummariesChain {
  passages: PassageRef[];
  /** In the order named; without a summary when there was only one. */
  candidates: { text: string; summary?: string }[];
  /** The answer as read; null when it was not asked for or could not be read. */
  reading: string | null;
}
