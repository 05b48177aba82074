import { z } from 'zod';
import { defineDataset } from '../define-dataset.js';
import { asPassages, id, text, texts, unused } from '../parts.js';

const snippets = z.union([texts, z.array(texts).transform((parts) => parts.flat())]);
/** Of one answer its names; of several each, alone or by its names. */
const answers = z.union([
  text.transform((one) => [[one]]),
  z.array(z.union([text.transform((one) => [one]), texts])),
]);

/** Passages that hold the answer are gold; those with a false one, and others, follow. */
export const rgb = defineDataset({
  name: 'rgb',
  source: 'RGB',
  schema: z.strictObject({
    id,
    query: text,
    answer: answers,
    positive: snippets,
    positive_wrong: snippets.default([]),
    negative: snippets,
    ...{ answer1: unused, answer2: unused, answer3: unused, fakeanswer: unused },
  }),
  question: ({ id, query, answer, positive, positive_wrong, negative }) => ({
    ...{ id, question: query },
    ...(answer.length === 1
      ? { answers: answer.flat() }
      : { answerGroups: answer, answerKind: 'list' }),
    passages: [
      ...asPassages(positive, true),
      ...asPassages(positive_wrong),
      ...asPassages(negative),
    ],
  }),
  example: {
    ...{ id: 0, query: 'When was the bridge built?', answer: [['1801', 'in 1801']] },
    ...{ positive: ['It was built in 1801.'], negative: ['Boats went over.'] },
  },
});
