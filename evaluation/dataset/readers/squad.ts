import { z } from 'zod';
import { defineDataset } from '../define-dataset.js';
import { asPassages, id, text, texts, unused } from '../parts.js';

const span = z.strictObject({ text: z.string(), answer_start: unused });
const columns = z
  .strictObject({ text: texts, answer_start: unused })
  .transform((spans) => spans.text.map((one) => ({ text: one })));
const spans = z.union([z.array(span), columns]);
const asked = {
  id,
  question: text,
  answers: spans,
  is_impossible: z.boolean().optional(),
  plausible_answers: unused,
};
const one = z.strictObject(asked);

/** SQuAD 1.1 and 2.0: articles, whose paragraphs have questions. */
export const squad = defineDataset({
  name: 'squad',
  source: 'SQuAD 1.1 and 2.0',
  schema: z.strictObject({
    title: z.string().optional(),
    paragraphs: z.array(z.strictObject({ context: text, qas: z.array(one), document_id: unused })),
  }),
  question: ({ title, paragraphs }) =>
    paragraphs.flatMap(({ context, qas }) => qas.map((qa) => questionOf(qa, context, title))),
  example: {
    title: 'Bridge',
    paragraphs: [
      {
        context: 'Ada built the bridge.',
        qas: [{ id: 's1', question: 'Who?', answers: [{ text: 'Ada', answer_start: 0 }] }],
      },
    ],
  },
});

/** A record a question. */
export const squadFlat = defineDataset({
  name: 'squad-flat',
  source: 'SQuAD on Hugging Face',
  schema: z.strictObject({ ...asked, title: z.string().optional(), context: text }),
  question: ({ title, context, ...qa }) => questionOf(qa, context, title),
  example: {
    ...{ id: 's1', title: 'Bridge', context: 'Ada built the bridge.', question: 'Who?' },
    answers: { text: ['Ada'], answer_start: [0] },
  },
});

/** Without an answer a question is one of SQuAD 2.0's that cannot be answered. */
function questionOf(qa: z.output<typeof one>, context: string, title = '') {
  const answers = qa.answers.map((span) => span.text.trim()).filter(Boolean);
  const isImpossible = qa.is_impossible ?? answers.length === 0;
  return {
    ...{ id: qa.id, question: qa.question, answers: isImpossible ? [] : answers },
    ...(isImpossible && { answerable: false as const }),
    passages: [{ title, text: context }],
  };
}

/** A context with its questions a line, behind a header. */
export const mrqa = defineDataset({
  name: 'mrqa',
  source: 'MRQA',
  schema: z.strictObject({
    header: unused,
    id: unused,
    context: text.optional(),
    context_tokens: unused,
    qas: z
      .array(
        z.strictObject({
          qid: id,
          question: text,
          answers: texts,
          ...{ id: unused, question_tokens: unused, detected_answers: unused },
        }),
      )
      .default([]),
  }),
  question: ({ context = '', qas }) =>
    qas.map(({ qid, question, answers }) => ({
      ...{ id: qid, question, answers, passages: asPassages([context]) },
    })),
  example: {
    context: 'Ada built the bridge.',
    qas: [{ qid: 'm1', question: 'Who built the bridge?', answers: ['Ada'] }],
  },
});
