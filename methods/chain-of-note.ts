/** Chain-of-Note: options, and what led to its answer. Pure. */

import { z } from 'zod';
import type { Method } from './method.js';
import { withoutEffect } from './options/without-effect.js';
import type { PlannedCall } from './planned-call.js';
import type { PassageRef } from './vocabulary.js';

const shape = {
  passages: z
    .int()
    .min(1)
    .max(50)
    .default(5)
    .describe('k, passages retrieved (Chain-of-Note A.3: 5)'),
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

const options = z.strictObject(shape).superRefine(
  withoutEffect(shape, [
    {
      names: ['examples'],
      when: ({ form }) => form !== 'single',
      because: 'examples are shown in the form single only',
    },
  ]),
);

export type ChainOfNoteOptions = z.output<typeof options>;

/** "Chain-of-Note: Enhancing Robustness in Retrieval-Augmented Language Models". */
export const chainOfNoteMethod: Method<ChainOfNoteOptions> = {
  name: 'chainOfNote',
  title: 'Chain-of-Note: a reading note for each passage, then the answer',
  source: 'Chain-of-Note (Yu et al., 2023), section 3.3, appendix A.3',
  options,
  steps: ['takeNotes', 'takeNote', 'answerFromNotes'],
  callsFormula: '1; k + 1 with form per-passage; 1 when no passage was found',
  calls: ({ form, passages: k }) => (form === 'single' ? 1 : k + 1),
  plan: ({ passages: count, form, examples }, { question, passages, output }) => {
    const shown = { question, passages: passages(count) };
    const search: PlannedCall = { step: 'retrieve', input: { query: question } };
    if (form === 'single') return [search, { step: 'takeNotes', input: { ...shown, examples } }];
    const notes = shown.passages.map(() => ({ text: output('takeNote'), type: 'irrelevant' }));
    return [
      search,
      ...shown.passages.map((passage, k) => ({
        step: 'takeNote' as const,
        input: { question, passage, k },
      })),
      { step: 'answerFromNotes', input: { ...shown, notes } },
    ];
  },
  figures:
    'EM/F1, fine-tuned LLaMa-2 7B + DPR, k=5: NQ 48.9/57.5, TriviaQA 76.3/82.3, WebQ 32.3/46.7; at 100% noise EM average 47.7 (without notes 39.7); RealTimeQA reject rate 13.0 (without notes 6.1)',
};

/**
 * What a note says of its passage (Chain-of-Note 3.3.1): it answers the question (a), it helps to
 * work the answer out (b), it is of no use (c).
 */
export type NoteType = 'relevant' | 'contextual' | 'irrelevant';

/** A note as the model wrote it. */
export interface WrittenNote {
  text: string;
  /** Null where the model does not say. */
  type: NoteType | null;
}

/** The reading note of a passage. */
export interface Note extends WrittenNote {
  /** Id of the passage. */
  passage: string;
}

export interface ChainOfNoteChain {
  passages: PassageRef[];
  /** In the order of the passages; a passage for which the model wrote none has none here. */
  notes: Note[];
  /** The answer as read, "unknown" included; null when it could not be read. */
  reading: string | null;
}
