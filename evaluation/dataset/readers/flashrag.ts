import { z } from 'zod';
import { BadRecord, defineDataset } from '../define-dataset.js';
import { id, text, texts, unused } from '../parts.js';

/** Right answers as texts, or as places among the choices. */
export const flashrag = defineDataset({
  name: 'flashrag',
  source: 'FlashRAG',
  schema: z.strictObject({
    id,
    question: text,
    golden_answers: z.union([texts, z.array(z.int().min(0))]),
    choices: texts.optional(),
    metadata: unused,
  }),
  question: ({ id, question, golden_answers, choices = [] }) => ({
    id,
    question,
    answers: golden_answers.map((answer) => {
      if (typeof answer === 'string') return answer;
      const choice = choices[answer];
      if (choice !== undefined) return choice;
      throw new BadRecord(`golden_answers: names none of the ${choices.length} choices`);
    }),
  }),
  example: {
    id: 'test_0',
    question: 'Who built the bridge?',
    golden_answers: ['Ada'],
    metadata: {},
  },
});
