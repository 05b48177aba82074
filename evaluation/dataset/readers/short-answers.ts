/** Data sets of open questions with short answers. */

import { z } from 'zod';
import { defineDataset } from '../define-dataset.js';
import { asPassages, id, orWritten, text, texts, unused } from '../parts.js';

export const nqOpen = defineDataset({
  name: 'nq-open',
  source: 'NQ-open; CuratedTREC, whose answers are patterns',
  schema: z.strictObject({ question: text, answer: texts }),
  question: ({ question, answer }) => ({ question, answers: answer }),
  example: { question: 'who built the bridge', answer: ['Ada', 'A. B.'] },
});

export const webQuestions = defineDataset({
  name: 'webquestions',
  source: 'WebQuestions on Hugging Face',
  schema: z.strictObject({ url: unused, question: text, answers: texts }),
  question: ({ question, answers }) => ({ question, answers }),
  example: { url: 'http://example.org/b', question: 'who built the bridge?', answers: ['Ada'] },
});

/** Its answers are a list that is written as JSON in a text. */
export const popqa = defineDataset({
  name: 'popqa',
  source: 'PopQA',
  schema: z.strictObject({
    id,
    question: text,
    possible_answers: orWritten(texts),
    ...{ subj: unused, prop: unused, obj: unused },
    ...{ subj_id: unused, prop_id: unused, obj_id: unused },
    ...{ s_aliases: unused, o_aliases: unused, s_uri: unused, o_uri: unused },
    ...{ s_wiki_title: unused, o_wiki_title: unused, s_pop: unused, o_pop: unused },
  }),
  question: ({ id, question, possible_answers }) => ({ id, question, answers: possible_answers }),
  example: {
    ...{ id: 7, subj: 'Bridge', prop: 'builder', obj: 'Ada', s_aliases: '["B"]' },
    ...{ question: 'Who built the bridge?', possible_answers: '["Ada", "A. B."]' },
  },
});

export const boolq = defineDataset({
  name: 'boolq',
  source: 'BoolQ',
  schema: z.strictObject({
    question: text,
    answer: z.boolean(),
    passage: text,
    title: z.string().default(''),
    id: unused,
  }),
  question: ({ question, answer, passage, title }) => ({
    ...{ question, answers: [answer ? 'yes' : 'no'] },
    passages: [{ title, text: passage }],
  }),
  example: { question: 'is the bridge old', answer: false, passage: 'The bridge is new.' },
});

/** The answer ends with its result; what stands before is how it is come by. */
const worked = z
  .string()
  .regex(/\n#### \S[^\n]*\s*$/)
  .transform((whole) => whole.slice(whole.lastIndexOf('#### ') + 5).trim());

export const gsm8k = defineDataset({
  name: 'gsm8k',
  source: 'GSM8K',
  schema: z.strictObject({ question: text, answer: worked }),
  question: ({ question, answer }) => ({
    question,
    answers: [answer, answer.replaceAll(',', '')],
  }),
  example: { question: 'How many are 2 and 3?', answer: 'It is 2 + 3 = 5.\n#### 5' },
});

/** Its facts are what people wrote down as the reason: gold passages. */
export const strategyqa = defineDataset({
  name: 'strategyqa',
  source: 'StrategyQA',
  schema: z.strictObject({
    qid: id,
    question: text,
    answer: z.boolean(),
    facts: texts.default([]),
    ...{ term: unused, description: unused, decomposition: unused, evidence: unused },
  }),
  question: ({ qid, question, answer, facts }) => ({
    ...{ id: qid, question, answers: [answer ? 'yes' : 'no'] },
    passages: asPassages(facts, true),
  }),
  example: {
    ...{ qid: 's1', term: 'Bridge', question: 'Could a cart pass?', answer: true },
    ...{ facts: ['Carts are narrow.'], decomposition: ['How wide is a cart?'] },
  },
});
