import { z } from 'zod';
import type { PassageRef } from '../../../core/vocabulary.js';
import { passageCount } from '../../options.js';

export const options = z.strictObject({ passages: passageCount });

export type SelectionInferenceOptions = z.output<typeof options>;

export interface SelectionInferenceChain {
  /** In retrieval order. */
  passages: PassageRef[];
  /** Their ids, most helpful first. */
  order: string[];
  /** What was read from the first, the first two, ... passages; null when they did not suffice. */
  readings: (string | null)[];
}
