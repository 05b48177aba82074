import { z } from 'zod';
import { defineDataset } from '../define-dataset.js';
import { text, texts } from '../parts.js';

export const nqOpen = defineDataset({
  name: 'nq-open',
  source: 'NQ-open; CuratedTREC, whose answers are patterns',
  schema: z.strictObject({ question: text, answer: texts }),
  question: ({ question, answer }) => ({ question, answers: answer }),
  example: { question: 'who built the bridge', answer: ['Ada', 'A. B.'] },
});
