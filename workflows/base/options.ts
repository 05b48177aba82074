import { z } from 'zod';
import type { FinalReading } from '../../core/citations.js';
import type { PassageRef } from '../../core/vocabulary.js';
import { answerForm, demonstrations, optionalPassageCount, withoutEffect } from '../options.js';

const shape = { passages: optionalPassageCount, demonstrations, answerForm };

export const options = z
  .strictObject(shape)
  .refine(({ passages, answerForm: form }) => passages > 0 || form === 'short', {
    path: ['answerForm'],
    error: 'cites passages, and there are none to cite: leave it out, or retrieve some',
  })
  .superRefine(
    withoutEffect(shape, [
      {
        names: ['demonstrations'],
        when: ({ answerForm: form }) => form !== 'short',
        because: 'they are examples of short answers',
      },
    ]),
  );

export type BaseOptions = z.output<typeof options>;

export interface BaseChain extends FinalReading {
  passages: PassageRef[];
}
