import { z } from 'zod';
import { defineDataset } from '../define-dataset.js';
import { id, text, texts, unique, unused } from '../parts.js';

export const qampari = defineDataset({
  name: 'qampari',
  source: 'QAMPARI',
  schema: z.strictObject({
    qid: id,
    question_text: text,
    answer_list: z.array(
      z.strictObject({
        answer_text: z.string().trim(),
        aliases: texts.default([]),
        ...{ aid: unused, answer_url: unused, proof: unused },
      }),
    ),
    entities: unused,
  }),
  question: ({ qid, question_text, answer_list }) => ({
    ...{ id: qid, question: question_text, answerKind: 'list' },
    answerGroups: answer_list.map(({ answer_text, aliases }) =>
      unique([answer_text, ...aliases]).filter(Boolean),
    ),
  }),
  example: {
    ...{ qid: '3__x', question_text: 'Which bridges are old?' },
    answer_list: [{ answer_text: 'Old', aliases: ['The Old'], proof: [] }, { answer_text: 'New' }],
  },
});
