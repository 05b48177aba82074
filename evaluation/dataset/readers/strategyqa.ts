import { z } from 'zod';
import { defineDataset } from '../define-dataset.js';
import { asPassages, id, text, texts, unused } from '../parts.js';

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
