import { z } from 'zod';
import type { PassageRef } from '../../../core/vocabulary.js';
import { passageCount } from '../../options.js';

export const options = z.strictObject({ passages: passageCount });

export type SummarizeThenPredictOptions = z.output<typeof options>;

export interface SummarizeThenPredictChain {
  passages: PassageRef[];
  /** Null when there was no passage to summarise. */
  summary: string | null;
  /** The model's answer as read; null when it could not be read. */
  reading: string | null;
}
