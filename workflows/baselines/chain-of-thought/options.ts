import { z } from 'zod';
import type { PassageRef } from '../../../core/vocabulary.js';
import { optionalPassageCount } from '../../options.js';

export const options = z.strictObject({
  passages: optionalPassageCount,
});

export type ChainOfThoughtOptions = z.output<typeof options>;

export interface ChainOfThoughtChain {
  passages: PassageRef[];
  /** What the model thought before its answer; null when no answer could be read. */
  reasoning: string | null;
  /** The model's answer as read; null when it could not be read. */
  reading: string | null;
}
