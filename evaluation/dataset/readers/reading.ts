/** Data sets of questions about a given text. */
import { z } from 'zod';
import { defineDataset } from '../define-dataset.js';
import { asPassages, id, text, texts, unused } from '../record-fields.js';

const span = z.strictObject({ text: z.string(), ...unused('answer_start') });
const columns = z
  .strictObject({ text: texts, ...unused('answer_start') })
  .transform((spans) => spans.text.map((one) => ({ text: one })));
const spans = z.union([z.array(span), columns]);
const asked = {
  id,
  question: text,
  answers: spans,
  is_impossible: z.boolean().optional(),
  ...unused('plausible_answers'),
};
const one = z.strictObject(asked);

/**
 * Data set declaration for SQuAD 1.1 and 2.0, in which a record is an article with its paragraphs
 * and their questions. The paragraph is the passage of a question.
 */
export const squad = defineDataset({
  name: 'squad',
  source: 'SQuAD 1.1 and 2.0',
  schema: z.strictObject({
    title: z.string().optional(),
    paragraphs: z.array(
      z.strictObject({ context: text, qas: z.array(one), ...unused('document_id') }),
    ),
  }),
  question: ({ title, paragraphs }) =>
    paragraphs.flatMap(({ context, qas }) => qas.map((qa) => questionOf(qa, context, title))),
});

/**
 * Data set declaration for SQuAD on Hugging Face, with one question a record. The context is its
 * passage.
 */
export const squadFlat = defineDataset({
  name: 'squad-flat',
  source: 'SQuAD on Hugging Face',
  schema: z.strictObject({ ...asked, title: z.string().optional(), context: text }),
  question: ({ title, context, ...qa }) => questionOf(qa, context, title),
});

/**
 * Returns a question of SQuAD. Without an answer it is one of SQuAD 2.0 that cannot be answered.
 */
function questionOf(qa: z.output<typeof one>, context: string, title = '') {
  const answers = qa.answers.map((span) => span.text.trim()).filter(Boolean);
  const isImpossible = qa.is_impossible ?? answers.length === 0;
  return {
    id: qa.id,
    question: qa.question,
    answers: isImpossible ? [] : answers,
    ...(isImpossible && { answerable: false as const }),
    passages: [{ title, text: context }],
    // Questions about one article share it.
    ...(title !== '' && { fields: { title } }),
  };
}

/**
 * Data set declaration for MRQA. A record is a context with its questions, or the header, which
 * has none. The context is the passage.
 */
export const mrqa = defineDataset({
  name: 'mrqa',
  source: 'MRQA',
  schema: z.strictObject({
    context: text.optional(),
    ...unused('header', 'id', 'context_tokens'),
    qas: z
      .array(
        z.strictObject({
          qid: id,
          question: text,
          answers: texts,
          ...unused('id', 'question_tokens', 'detected_answers'),
        }),
      )
      .default([]),
  }),
  question: ({ context = '', qas }) =>
    qas.map(({ qid, question, answers }) => ({
      id: qid,
      question,
      answers,
      passages: asPassages([context]),
    })),
});

/** Data set declaration for BoolQ. The answer is yes or no, about one passage. */
export const boolq = defineDataset({
  name: 'boolq',
  source: 'BoolQ',
  schema: z.strictObject({
    question: text,
    answer: z.boolean(),
    passage: text,
    title: z.string().default(''),
    ...unused('id'),
  }),
  question: ({ question, answer, passage, title }) => ({
    question,
    answers: [answer ? 'yes' : 'no'],
    passages: [{ title, text: passage }],
  }),
});

/**
 * Data set declaration for PubMedQA on Hugging Face. The answer is one of the labels yes, no and
 * maybe; the long answer is a reference text.
 */
export const pubmedqa = defineDataset({
  name: 'pubmedqa',
  source: 'PubMedQA on Hugging Face',
  ranked: false,
  schema: z.strictObject({
    pubid: id,
    question: text,
    context: z.strictObject({
      contexts: texts,
      ...unused('labels', 'meshes', 'reasoning_required_pred', 'reasoning_free_pred'),
    }),
    long_answer: text,
    final_decision: z.enum(['yes', 'no', 'maybe']),
  }),
  question: ({ pubid, question, context, long_answer, final_decision }) => ({
    id: pubid,
    question,
    answers: [final_decision],
    answerKind: 'label',
    longAnswers: [long_answer],
    passages: asPassages(context.contexts),
  }),
});

const oneOrMore = z.union([text.transform((one) => [one]), texts]);

/**
 * Data set declaration for BioASQ. The ideal answers are reference texts. The exact answer, if
 * there is one, is accepted: yes or no, the names of one answer, or a list of wanted answers.
 */
export const bioasq = defineDataset({
  name: 'bioasq',
  source: 'BioASQ',
  ranked: false,
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
          ...unused('document', 'beginSection', 'endSection', 'offsetInBeginSection'),
          ...unused('offsetInEndSection'),
        }),
      )
      .default([]),
    ...unused('documents', 'concepts', 'triples'),
  }),
  question: ({ id, body, type, exact_answer, ideal_answer, snippets }) => ({
    id,
    question: body,
    longAnswers: ideal_answer,
    fields: { type },
    ...(exact_answer && type === 'list' && { answerGroups: exact_answer, answerKind: 'list' }),
    ...(exact_answer && type !== 'list' && { answers: exact_answer.flat() }),
    passages: asPassages(snippets.map((snippet) => snippet.text)),
  }),
});
