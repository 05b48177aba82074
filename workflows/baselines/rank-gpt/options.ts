import { z } from 'zod';
import type { FinalReading } from '../../../core/citations.js';
import { whole } from '../../../core/options/ranges.js';
import type { PassageRef } from '../../../core/vocabulary.js';
import { answerForm, candidatePassages, readCount, withoutEffect } from '../../options.js';
import { type RankedWindow, STRIDE, WINDOW } from './sliding-window.js';

const shape = {
  passages: readCount,
  candidates: candidatePassages,
  window: whole(2, 100)
    .default(WINDOW)
    .describe('w, passages put in order by one call (LLatrieval 4.1, its own window: 20)'),
  stride: whole(1, 99)
    .default(STRIDE)
    .describe('s, how far the window moves on, less than w (Sun et al.: 10)'),
  answerForm,
};

export const options = z
  .strictObject(shape)
  .refine(({ candidates, window, stride }) => stride < window || candidates <= window, {
    path: ['stride'],
    error: 'must be less than window, or no passage could move from one window to the next',
  })
  .superRefine(
    withoutEffect(shape, [
      {
        names: ['stride'],
        when: ({ candidates, window }) => candidates <= window,
        because: 'one window holds all candidates',
      },
    ]),
  );

export type RankGptOptions = z.output<typeof options>;

export interface RankGptChain extends FinalReading {
  /** In retrieval order. */
  passages: PassageRef[];
  /** From the back to the front. */
  windows: RankedWindow[];
  /** All ids, best first; the first k were read. */
  order: string[];
}
