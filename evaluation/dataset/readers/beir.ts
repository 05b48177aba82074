import { z } from 'zod';
import { defineDataset } from '../define-dataset.js';
import { id, passages, text, texts } from '../parts.js';

/** A judged query of a folder; its files have no answers, but where the query's metadata says one. */
export const beir = defineDataset({
  name: 'beir',
  source: 'BEIR, a folder',
  schema: z.strictObject({
    _id: id,
    text,
    metadata: z
      .looseObject({ answer: z.union([text, texts]).optional(), answers: texts.optional() })
      .optional(),
    passages,
  }),
  question: ({ _id, text, metadata: { answer = [], answers } = {}, passages }) => ({
    ...{ id: _id, question: text, passages },
    answers: answers ?? [answer].flat(),
  }),
  example: {
    ...{ _id: '1', text: 'Who built the bridge?', metadata: { answer: 'Ada' } },
    passages: [{ id: 'd1', title: 'Bridge', text: 'Ada did.', isGold: true }],
  },
});
