import { z } from 'zod';
import { defineDataset } from '../define-dataset.js';
import { id, retrieved, text, texts, unused } from '../parts.js';

export const dpr = defineDataset({
  name: 'dpr',
  source: 'DPR and FiD',
  schema: z.strictObject({
    ...{ id: id.optional(), question: text, answers: texts, ctxs: retrieved },
    ...{ target: unused, dataset: unused },
  }),
  question: ({ id, question, answers, ctxs }) => ({
    ...{ id, question, answers, passages: ctxs },
  }),
  example: {
    ...{ question: 'who built the bridge', answers: ['Ada'] },
    ctxs: [{ id: 'wiki:1', title: 'Bridge', text: 'Ada did.', score: '79.1', has_answer: true }],
  },
});

/** Positive passages as gold, then the hard negatives, then the negatives. */
export const dprTraining = defineDataset({
  name: 'dpr-training',
  source: "DPR's training files",
  schema: z.strictObject({
    ...{ dataset: unused, question: text, answers: texts, positive_ctxs: retrieved },
    ...{ negative_ctxs: retrieved.default([]), hard_negative_ctxs: retrieved.default([]) },
  }),
  question: ({ question, answers, positive_ctxs, hard_negative_ctxs, negative_ctxs }) => ({
    ...{ question, answers },
    passages: [
      ...positive_ctxs.map((one) => ({ ...one, isGold: true })),
      ...hard_negative_ctxs,
      ...negative_ctxs,
    ],
  }),
  example: {
    ...{ dataset: 'x', question: 'who built the bridge', answers: ['Ada'] },
    positive_ctxs: [{ title: 'Bridge', text: 'Ada did.', score: 9, passage_id: '4' }],
    ...{ negative_ctxs: [], hard_negative_ctxs: [{ title: 'Ferry', text: 'Boats.' }] },
  },
});
