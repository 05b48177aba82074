import { z } from 'zod';
import { defineDataset } from '../define-dataset.js';
import { asPassages, id, text, texts, unused } from '../parts.js';

const oneOrMore = z.union([text.transform((one) => [one]), texts]);

/** The exact answer where there is one: yes or no, an answer by its names, or a list of them. */
export const bioasq = defineDataset({
  name: 'bioasq',
  source: 'BioASQ',
  schema: z.strictObject({
    id,
    body: text,
    type: z.enum(['factoid', 'list', 'yesno', 'summary']),
    exact_answer: z.union([z.array(oneOrMore), text.transform((one) => [[one]])]).optional(),
    ideal_answer: oneOrMore.default([]),
    snippets: z
      .array(
        z.strictObject({
          text,
          ...{ document: unused, beginSection: unused, endSection: unused },
          ...{ offsetInBeginSection: unused, offsetInEndSection: unused },
        }),
      )
      .default([]),
    ...{ documents: unused, concepts: unused, triples: unused },
  }),
  question: ({ id, body, type, exact_answer, ideal_answer, snippets }) => ({
    ...{ id, question: body, longAnswers: ideal_answer },
    ...(exact_answer && type === 'list' && { answerGroups: exact_answer, answerKind: 'list' }),
    ...(exact_answer && type !== 'list' && { answers: exact_answer.flat() }),
    passages: asPassages(snippets.map((snippet) => snippet.text)),
  }),
  example: {
    ...{ id: 'b1', body: 'Which stone is the bridge of?', type: 'factoid' as const },
    ...{ exact_answer: [['granite']], ideal_answer: ['It is of granite.'], documents: ['u'] },
    snippets: [{ text: 'Granite was used.', document: 'u' }],
  },
});
