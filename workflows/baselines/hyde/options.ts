import { z } from 'zod';
import type { FinalReading } from '../../../core/citations.js';
import type { PassageRef } from '../../../core/vocabulary.js';
import { answerForm, readCount } from '../../options.js';

export const options = z.strictObject({ passages: readCount, answerForm });

export type HydeOptions = z.output<typeof options>;

export interface HydeChain extends FinalReading {
  /** What the search was made with; null when it could not be read, and the question was used. */
  hypothesis: string | null;
  passages: PassageRef[];
}
