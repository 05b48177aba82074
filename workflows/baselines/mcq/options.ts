import { z } from 'zod';
import type { PassageRef } from '../../../core/vocabulary.js';
import { candidateCount, demonstrations, passageCount } from '../../options.js';

export const options = z.strictObject({
  passages: passageCount,
  candidates: candidateCount,
  demonstrations,
});

export type McqOptions = z.output<typeof options>;

export interface McqChain {
  passages: PassageRef[];
  /** In the order named. */
  candidates: { text: string }[];
  /** Position of the candidate chosen; null when the answer is none of them. */
  choice: number | null;
  /** The answer as read; null when it was not asked for or could not be read. */
  reading: string | null;
}
