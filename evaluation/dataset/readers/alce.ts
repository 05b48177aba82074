import { z } from 'zod';
import { defineDataset } from '../define-dataset.js';
import { groups, id, retrieved, text, texts, unused } from '../parts.js';

export const alceQampari = defineDataset({
  name: 'alce-qampari',
  source: 'ALCE, QAMPARI',
  schema: z.strictObject({ id, question: text, answers: groups, docs: retrieved.optional() }),
  question: ({ id, question, answers, docs }) => ({
    ...{ id, question, answerGroups: answers, answerKind: 'list', passages: docs },
  }),
  example: { id: 'a1', question: 'Which bridges are old?', answers: [['Old', 'The Old'], ['New']] },
});

export const alceEli5 = defineDataset({
  name: 'alce-eli5',
  source: 'ALCE, ELI5',
  schema: z.strictObject({
    id: id.optional(),
    question: text,
    question_ctx: unused,
    answer: text,
    claims: texts,
    docs: retrieved.optional(),
  }),
  question: ({ id, question, answer, claims, docs }) => ({
    ...{ id, question, longAnswers: [answer], claims, answerKind: 'long', passages: docs },
  }),
  example: {
    ...{ question: 'Why is there a bridge?', question_ctx: '', answer: 'So that carts can pass.' },
    ...{ claims: ['Carts can pass.'], docs: [{ title: 'Bridge', text: 'Carts pass.' }] },
  },
});
