import { z } from 'zod';
import { defineDataset } from '../define-dataset.js';
import { id, text, unused } from '../parts.js';

/**
 * Its provenance names places and has no text. A file names no task: those of ELI5 and of Wizard of
 * Wikipedia take `--kind long`.
 */
export const kilt = defineDataset({
  name: 'kilt',
  source: 'KILT; its ELI5 and Wizard of Wikipedia with `--kind long`',
  schema: z.strictObject({
    id,
    input: text,
    output: z.array(z.strictObject({ answer: text.optional(), meta: unused, provenance: unused })),
    meta: unused,
  }),
  question: ({ id, input, output }) => ({
    ...{ id, question: input },
    answers: output.flatMap(({ answer }) => answer ?? []),
  }),
  example: {
    ...{ id: 'k1', input: 'Who built the bridge?', meta: {} },
    output: [{ answer: 'Ada', provenance: [{ wikipedia_id: '1', title: 'Bridge' }] }],
  },
});
