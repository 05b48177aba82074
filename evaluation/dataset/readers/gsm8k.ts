import { z } from 'zod';
import { defineDataset } from '../define-dataset.js';
import { text } from '../parts.js';

/** The answer ends with its result; what stands before is how it is come by. */
const worked = z
  .string()
  .regex(/\n#### \S[^\n]*\s*$/)
  .transform((whole) => whole.slice(whole.lastIndexOf('#### ') + 5).trim());

export const gsm8k = defineDataset({
  name: 'gsm8k',
  source: 'GSM8K',
  schema: z.strictObject({ question: text, answer: worked }),
  question: ({ question, answer }) => ({
    question,
    answers: [answer, answer.replaceAll(',', '')],
  }),
  example: { question: 'How many are 2 and 3?', answer: 'It is 2 + 3 = 5.\n#### 5' },
});
