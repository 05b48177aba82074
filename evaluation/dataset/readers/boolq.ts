import { z } from 'zod';
import { defineDataset } from '../define-dataset.js';
import { text, unused } from '../parts.js';

export const boolq = defineDataset({
  name: 'boolq',
  source: 'BoolQ',
  schema: z.strictObject({
    question: text,
    answer: z.boolean(),
    passage: text,
    title: z.string().default(''),
    id: unused,
  }),
  question: ({ question, answer, passage, title }) => ({
    ...{ question, answers: [answer ? 'yes' : 'no'] },
    passages: [{ title, text: passage }],
  }),
  example: { question: 'is the bridge old', answer: false, passage: 'The bridge is new.' },
});
