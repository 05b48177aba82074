/** Data sets whose records contain retrieved passages, or references to them. */
import { z } from 'zod';
import { defineDataset } from '../define-dataset.js';
import { asPassages, id, passages, retrieved, text, texts, unused } from '../record-fields.js';

/** Data set declaration for DPR's and FiD's files of questions with retrieved passages. */
export const dpr = defineDataset({
  name: 'dpr',
  source: 'DPR and FiD',
  schema: z.strictObject({
    id: id.optional(),
    question: text,
    answers: texts,
    ctxs: retrieved,
    ...unused('target', 'dataset'),
  }),
  question: ({ id, question, answers, ctxs }) => ({
    id,
    question,
    answers,
    passages: ctxs,
  }),
});

/**
 * Data set declaration for DPR's training files. The positive passages are gold and come first,
 * then the hard negatives and the other negatives.
 */
export const dprTraining = defineDataset({
  name: 'dpr-training',
  source: "DPR's training files",
  ranked: false,
  schema: z.strictObject({
    question: text,
    answers: texts,
    positive_ctxs: retrieved,
    ...unused('dataset'),
    negative_ctxs: retrieved.default([]),
    hard_negative_ctxs: retrieved.default([]),
  }),
  question: ({ question, answers, positive_ctxs, hard_negative_ctxs, negative_ctxs }) => ({
    question,
    answers,
    corpusIds: true,
    passages: [
      ...positive_ctxs.map((one) => ({ ...one, isGold: true })),
      ...hard_negative_ctxs,
      ...negative_ctxs,
    ],
  }),
});

/**
 * Data set declaration for KILT. The provenance has no texts and is ignored. The file does not
 * name its task: ELI5 and Wizard of Wikipedia need `--kind long`.
 */
export const kilt = defineDataset({
  name: 'kilt',
  source: 'KILT; its ELI5 and Wizard of Wikipedia with `--kind long`',
  schema: z.strictObject({
    id,
    input: text,
    output: z.array(z.strictObject({ answer: text.optional(), ...unused('meta', 'provenance') })),
    ...unused('meta'),
  }),
  question: ({ id, input, output }) => ({
    id,
    question: input,
    answers: output.flatMap(({ answer }) => answer ?? []),
  }),
});

/**
 * Data set declaration for the judged queries of a BEIR folder, with their relevant passages as
 * gold ones. Only the metadata of a query may have answers.
 */
export const beir = defineDataset({
  name: 'beir',
  source: 'BEIR, a folder',
  schema: z.strictObject({
    _id: id,
    text,
    metadata: z
      .looseObject({ answer: z.union([text, texts]).optional(), answers: texts.optional() })
      .optional(),
    passages,
  }),
  question: ({ _id, text, metadata: { answer = [], answers } = {}, passages }) => ({
    id: _id,
    question: text,
    passages,
    corpusIds: true,
    answers: answers ?? [answer].flat(),
  }),
});

/**
 * Data set declaration for the data set CRAG (Comprehensive RAG Benchmark). The passages are the
 * excerpts of pages that the search engine showed; the pages' HTML is ignored.
 */
export const crag = defineDataset({
  name: 'crag',
  source: 'CRAG',
  schema: z.strictObject({
    interaction_id: id,
    query: text,
    answer: text,
    alt_ans: texts.default([]),
    search_results: z
      .array(
        z.strictObject({
          page_name: z.string().default(''),
          page_snippet: z.string().default(''),
          ...unused('page_url', 'page_result', 'page_last_modified'),
        }),
      )
      .default([]),
    ...unused('query_time', 'domain', 'question_type', 'static_or_dynamic', 'popularity', 'split'),
  }),
  question: ({ interaction_id, query, answer, alt_ans, search_results }) => ({
    id: interaction_id,
    question: query,
    answers: [answer, ...alt_ans],
    passages: search_results.map(({ page_name, page_snippet }) => ({
      title: page_name,
      text: page_snippet.trim(),
    })),
  }),
});

const snippets = z.union([texts, z.array(texts).transform((parts) => parts.flat())]);
/** Schema of the names of one answer, or of several answers with their names. */
const answers = z.union([
  text.transform((one) => [[one]]),
  z.array(z.union([text.transform((one) => [one]), texts])),
]);

/**
 * Data set declaration for RGB. Passages that contain the answer are gold and come first, then
 * those with a false answer, then the others.
 */
export const rgb = defineDataset({
  name: 'rgb',
  source: 'RGB',
  ranked: false,
  schema: z.strictObject({
    id,
    query: text,
    answer: answers,
    positive: snippets,
    positive_wrong: snippets.default([]),
    negative: snippets,
    ...unused('answer1', 'answer2', 'answer3', 'fakeanswer'),
  }),
  question: ({ id, query, answer, positive, positive_wrong, negative }) => ({
    id,
    question: query,
    ...(answer.length === 1
      ? { answers: answer.flat() }
      : { answerGroups: answer, answerKind: 'list' }),
    passages: [
      ...asPassages(positive, true),
      ...asPassages(positive_wrong),
      ...asPassages(negative),
    ],
  }),
});
