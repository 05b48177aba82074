import { z } from 'zod';
import { whole } from '../../core/options/ranges.js';
import type { PassageRef } from '../../core/vocabulary.js';
import type { Note } from '../../steps/chain-of-note.js';
import { withoutEffect } from '../options.js';

const shape = {
  passages: whole(1, 50).default(5).describe('k, passages retrieved (Chain-of-Note A.3: 5)'),
  form: z
    .enum(['single', 'per-passage'])
    .default('single')
    .describe(
      'single: one call writes all notes and the answer (Chain-of-Note 3.3); per-passage: one call a note, then one for the answer, so that each note is kept by itself (ours)',
    ),
  examples: z
    .boolean()
    .default(false)
    .describe(
      'shows one example of each type of note, in the single form only (Chain-of-Note 3.3.2, data collection)',
    ),
};

export const options = z.strictObject(shape).superRefine(
  withoutEffect(shape, [
    {
      names: ['examples'],
      when: ({ form }) => form !== 'single',
      because: 'examples are shown in the form single only',
    },
  ]),
);

export type ChainOfNoteOptions = z.output<typeof options>;

export interface ChainOfNoteChain {
  passages: PassageRef[];
  /** In the order of the passages, without those that have no note. */
  notes: Note[];
  /** The answer as read, "unknown" included; null when it could not be read. */
  reading: string | null;
}
