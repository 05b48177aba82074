import { z } from 'zod';
import { defineDataset } from '../define-dataset.js';
import { text, texts, unused } from '../parts.js';

/** The table, whose right answers semicolons separate. */
export const truthfulqa = defineDataset({
  name: 'truthfulqa',
  source: 'TruthfulQA, the table',
  schema: z.strictObject({
    Question: text,
    'Best Answer': text,
    'Correct Answers': text.transform((cell) => cell.split(';').map((one) => one.trim())),
    ...{ Type: unused, Category: unused, Source: unused },
    ...{ 'Incorrect Answers': unused, 'Best Incorrect Answer': unused },
  }),
  question: ({ Question, 'Best Answer': best, 'Correct Answers': correct }) => ({
    question: Question,
    answers: [best, ...correct].filter(Boolean),
  }),
  example: {
    ...{ Type: 'Adversarial', Question: 'Who built the bridge?', 'Best Answer': 'Ada' },
    ...{ 'Correct Answers': 'Ada; A. B.', 'Incorrect Answers': 'Bo; Cy' },
  },
});

export const truthfulqaHf = defineDataset({
  name: 'truthfulqa-hf',
  source: 'TruthfulQA on Hugging Face, generation',
  schema: z.strictObject({
    ...{ question: text, best_answer: text, correct_answers: texts },
    ...{ type: unused, category: unused, source: unused, incorrect_answers: unused },
  }),
  question: ({ question, best_answer, correct_answers }) => ({
    ...{ question, answers: [best_answer, ...correct_answers] },
  }),
  example: {
    ...{ type: 'Adversarial', question: 'Who built the bridge?', best_answer: 'Ada' },
    ...{ correct_answers: ['Ada', 'A. B.'], incorrect_answers: ['Bo'] },
  },
});

const marked = z
  .strictObject({ choices: texts, labels: z.array(z.int()) })
  .transform(({ choices, labels }) => choices.filter((_, i) => labels[i] === 1));

export const truthfulqaChoices = defineDataset({
  name: 'truthfulqa-choices',
  source: 'TruthfulQA on Hugging Face, multiple choice',
  schema: z.strictObject({ question: text, mc1_targets: marked, mc2_targets: marked }),
  question: ({ question, mc1_targets, mc2_targets }) => ({
    ...{ question, answers: [...mc1_targets, ...mc2_targets] },
  }),
  example: {
    question: 'Who built the bridge?',
    mc1_targets: { choices: ['Ada', 'Bo'], labels: [1, 0] },
    mc2_targets: { choices: ['Ada', 'A. B.', 'Bo'], labels: [1, 1, 0] },
  },
});
