import { z } from 'zod';
import { defineDataset } from '../define-dataset.js';
import { id, text, texts, unused } from '../parts.js';

/** All paragraphs, marked where they are needed. */
export const musique = defineDataset({
  name: 'musique',
  source: 'MuSiQue',
  schema: z.strictObject({
    id,
    question: text,
    answer: text,
    answer_aliases: texts.default([]),
    answerable: z.boolean().default(true),
    paragraphs: z.array(
      z.strictObject({
        idx: id.optional(),
        title: z.string().default(''),
        paragraph_text: text,
        is_supporting: z.boolean().optional(),
      }),
    ),
    question_decomposition: unused,
  }),
  question: ({ id, question, answer, answer_aliases, answerable, paragraphs }) => ({
    ...{ id, question, answers: answerable ? [answer, ...answer_aliases] : [] },
    ...(!answerable && { answerable: false }),
    passages: paragraphs.map(({ idx, title, paragraph_text, is_supporting }) => ({
      ...{ id: idx, title, text: paragraph_text, isGold: is_supporting },
    })),
  }),
  example: {
    ...{
      id: '2hop__1',
      question: 'Who built the bridge?',
      answer: 'Ada',
      answer_aliases: ['A. B.'],
    },
    answerable: true,
    paragraphs: [{ idx: 0, title: 'Bridge', paragraph_text: 'Ada did.', is_supporting: true }],
  },
});
