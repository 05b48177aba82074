/** Data sets of questions that need several passages. */
import { z } from 'zod';
import { defineDataset } from '../define-dataset.js';
import {
  articles,
  asPassages,
  id,
  supportingTitles,
  text,
  texts,
  unused,
  withGoldTitles,
} from '../record-fields.js';

const hotpotFields = {
  _id: id.optional(),
  id: id.optional(),
  question: text,
  answer: text,
  context: articles,
  supporting_facts: supportingTitles.optional(),
  ...unused('type'),
};

/**
 * Data set declaration for HotpotQA, the official file or its columns on Hugging Face. Paragraphs
 * whose title a supporting fact names are gold passages.
 */
export const hotpotqa = defineDataset({
  name: 'hotpotqa',
  source: 'HotpotQA',
  ranked: false,
  schema: z.strictObject({ ...hotpotFields, ...unused('level') }),
  question: hotpotQuestion,
});

/**
 * Data set declaration for 2WikiMultihopQA. Paragraphs whose title a supporting fact names are
 * gold passages.
 */
export const twoWiki = defineDataset({
  name: '2wikimultihopqa',
  source: '2WikiMultihopQA',
  ranked: false,
  schema: z.strictObject({
    ...hotpotFields,
    ...unused('evidences', 'evidences_id', 'answer_id', 'entity_ids'),
  }),
  question: hotpotQuestion,
});

function hotpotQuestion(record: z.output<z.ZodObject<typeof hotpotFields>>) {
  const { _id, id, question, answer, context, supporting_facts } = record;
  return {
    id: _id ?? id,
    question,
    answers: [answer],
    passages: withGoldTitles(context, supporting_facts),
  };
}

/**
 * Data set declaration for MuSiQue. All paragraphs are passages, and the supporting ones are gold.
 */
export const musique = defineDataset({
  name: 'musique',
  source: 'MuSiQue',
  ranked: false,
  schema: z.strictObject({
    id,
    question: text,
    answer: text,
    answer_aliases: texts.default([]),
    answerable: z.boolean().default(true),
    paragraphs: z.array(
      z.strictObject({
        idx: id.optional(),
        title: z.string().default(''),
        paragraph_text: text,
        is_supporting: z.boolean().optional(),
      }),
    ),
    ...unused('question_decomposition'),
  }),
  question: ({ id, question, answer, answer_aliases, answerable, paragraphs }) => ({
    id,
    question,
    answers: answerable ? [answer, ...answer_aliases] : [],
    ...(!answerable && { answerable: false }),
    passages: paragraphs.map(({ idx, title, paragraph_text, is_supporting }) => ({
      id: idx,
      title,
      text: paragraph_text,
      isGold: is_supporting,
    })),
  }),
});

/**
 * Data set declaration for StrategyQA. The answer is yes or no; the facts that annotators wrote
 * are gold passages.
 */
export const strategyqa = defineDataset({
  name: 'strategyqa',
  source: 'StrategyQA',
  ranked: false,
  schema: z.strictObject({
    qid: id,
    question: text,
    answer: z.boolean(),
    facts: texts.default([]),
    ...unused('term', 'description', 'decomposition', 'evidence'),
  }),
  question: ({ qid, question, answer, facts }) => ({
    id: qid,
    question,
    answers: [answer ? 'yes' : 'no'],
    passages: asPassages(facts, true),
  }),
});

/**
 * Data set declaration for MultiHop-RAG. Each fact of the evidence is a gold passage; a question
 * of type null_query is unanswerable, and has no accepted answers.
 */
export const multihopRag = defineDataset({
  name: 'multihop-rag',
  source: 'MultiHop-RAG',
  ranked: false,
  schema: z.strictObject({
    query: text,
    answer: text,
    question_type: z.string(),
    evidence_list: z.array(
      z.strictObject({
        title: z.string().default(''),
        fact: text,
        ...unused('author', 'category', 'published_at', 'source', 'url'),
      }),
    ),
  }),
  question: ({ query, answer, question_type, evidence_list }) => ({
    question: query,
    fields: { question_type },
    ...(question_type === 'null_query'
      ? { answers: [], answerable: false }
      : { answers: [answer] }),
    passages: evidence_list.map(({ title, fact }) => ({ title, text: fact, isGold: true })),
  }),
});
