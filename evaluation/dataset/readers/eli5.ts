import { z } from 'zod';
import { defineDataset } from '../define-dataset.js';
import { id, text, texts, unused } from '../parts.js';

export const eli5 = defineDataset({
  name: 'eli5',
  source: 'ELI5 on Hugging Face',
  schema: z.strictObject({
    q_id: id,
    title: text,
    answers: z.strictObject({
      text: texts,
      ...{ a_id: unused, score: unused, text_urls: unused },
    }),
    ...{ selftext: unused, document: unused, subreddit: unused, url: unused, category: unused },
    ...{ title_urls: unused, selftext_urls: unused, answers_urls: unused },
  }),
  question: ({ q_id, title, answers }) => ({
    ...{ id: q_id, question: title, longAnswers: answers.text, answerKind: 'long' },
  }),
  example: {
    ...{ q_id: 'e1', title: 'Why is there a bridge?', selftext: '', subreddit: 'x' },
    answers: { a_id: ['c1'], text: ['So that carts can pass.'], score: [3] },
  },
});
