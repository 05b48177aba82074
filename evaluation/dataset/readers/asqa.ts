import { z } from 'zod';
import { defineDataset } from '../define-dataset.js';
import { id, retrieved, text, texts, unique, unused } from '../parts.js';

const fields = {
  qa_pairs: z.array(
    z.strictObject({
      short_answers: texts,
      ...{ context: unused, question: unused, wikipage: unused },
    }),
  ),
  annotations: z.array(z.strictObject({ long_answer: text, knowledge: unused })).default([]),
  wikipages: unused,
};

function referencesOf({ qa_pairs, annotations }: z.output<z.ZodObject<typeof fields>>) {
  return {
    answerGroups: qa_pairs.map(({ short_answers }) => short_answers),
    longAnswers: annotations.map(({ long_answer }) => long_answer),
    answerKind: 'long' as const,
  };
}

/** The official file is a map by id; elsewhere the record has it. */
export const asqa = defineDataset({
  name: 'asqa',
  source: 'ASQA',
  schema: z.strictObject({ ...fields, sample_id: id.optional(), ambiguous_question: text }),
  question: ({ sample_id, ambiguous_question, ...references }) => ({
    ...{ id: sample_id, question: ambiguous_question },
    ...referencesOf(references),
  }),
  example: {
    ...{ sample_id: '-7', ambiguous_question: 'When was the bridge built?' },
    qa_pairs: [{ question: 'When was the old one?', short_answers: ['1801'] }],
    annotations: [{ long_answer: 'The old one was built in 1801.', knowledge: [] }],
  },
});

export const alceAsqa = defineDataset({
  name: 'alce-asqa',
  source: 'ALCE, ASQA',
  schema: z.strictObject({
    ...fields,
    sample_id: id,
    question: text,
    answer: text,
    docs: retrieved.optional(),
  }),
  question({ sample_id, question, answer, docs, ...given }) {
    const references = referencesOf(given);
    const longAnswers = unique([answer, ...references.longAnswers]);
    return { id: sample_id, question, ...references, longAnswers, passages: docs };
  },
  example: {
    ...{ sample_id: '-7', question: 'When was the bridge built?', answer: 'In 1801.' },
    qa_pairs: [{ question: 'When was the old one?', short_answers: ['1801'] }],
    docs: [{ id: '1', title: 'Bridge', text: 'It was built in 1801.', score: 1 }],
  },
});
