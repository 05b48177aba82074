import { z } from 'zod';
import { whole } from '../../core/options/ranges.js';
import { TASKS } from '../../core/task.js';
import type { PassageRef } from '../../core/vocabulary.js';
import { HUMAN_PROMPTS } from '../../steps/genread.js';
import { withoutEffect } from '../options.js';

const shape = {
  task: z
    .enum(TASKS)
    .default('openQA')
    .describe(
      'what the question is: a question, a claim to check, an utterance to reply to (GenRead 4)',
    ),
  generation: z
    .enum(['zeroShot', 'sampled', 'humanPrompts', 'clustered'])
    .default('zeroShot')
    .describe(
      'one document; several sampled at p=0.95; one for each of ten prompts; one for each cluster of a demonstration set (GenRead 3.1, 3.2, 3.2.1, 3.2.2)',
    ),
  documents: whole(1, 100)
    .optional()
    .describe(
      'documents generated: 1 for zeroShot, else 10 unless given (GenRead 4.2.1: 10); clustered: at most the clusters of the set',
    ),
  passages: whole(0, 200)
    .default(0)
    .describe('passages retrieved and read along; 0 for none (GenRead 4.3.1: 10 merged)'),
  readerPrompt: whole(1, 3)
    .default(1)
    .describe('which of three reader prompts, of openQA only (GenRead B.1.3, averaged over)'),
  demonstrationSet: z
    .string()
    .min(1)
    .optional()
    .describe('name of the stored demonstration set, for clustered (GenRead 3.2.2)'),
};

export const options = z
  .strictObject(shape)
  .superRefine((chosen, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    const { generation, documents = 1, task, demonstrationSet } = chosen;
    if (generation === 'zeroShot' && documents > 1) {
      refuse('documents', 'zeroShot writes one document; set generation to write several');
    }
    if (generation === 'humanPrompts' && documents > HUMAN_PROMPTS) {
      refuse('documents', `there are ${HUMAN_PROMPTS} human prompts, each writes one document`);
    }
    if (generation === 'humanPrompts' && task === 'factChecking') {
      refuse('generation', 'the human prompts are for questions, not for claims');
    }
    if (generation === 'clustered' && demonstrationSet === undefined) {
      refuse('demonstrationSet', 'clustered needs the name of a stored demonstration set');
    }
    if (generation !== 'clustered' && demonstrationSet !== undefined) {
      refuse('demonstrationSet', 'is used by clustered only; set generation to clustered');
    }
  })
  .superRefine(
    withoutEffect(shape, [
      {
        names: ['readerPrompt'],
        when: ({ task }) => task !== 'openQA',
        because: 'the three reader prompts are of openQA',
      },
    ]),
  );

export type GenreadOptions = z.output<typeof options>;

/** A document as the model wrote it, and what distinguishes it from the others. */
export interface GeneratedDocument {
  text: string;
  sample?: number;
  humanPrompt?: number;
  cluster?: number;
}

export interface GenreadChain {
  documents: GeneratedDocument[];
  /** Retrieved, and read before the documents. */
  passages: PassageRef[];
  /** The id of the demonstration set of clustered generation. */
  demonstrationSet: string | null;
  /** The answer, verdict or reply as read; null when it could not be read. */
  reading: string | null;
}
