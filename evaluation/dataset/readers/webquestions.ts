import { z } from 'zod';
import { defineDataset } from '../define-dataset.js';
import { text, texts, unused } from '../parts.js';

export const webQuestions = defineDataset({
  name: 'webquestions',
  source: 'WebQuestions on Hugging Face',
  schema: z.strictObject({ url: unused, question: text, answers: texts }),
  question: ({ question, answers }) => ({ question, answers }),
  example: { url: 'http://example.org/b', question: 'who built the bridge?', answers: ['Ada'] },
});
