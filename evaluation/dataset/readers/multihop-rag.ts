import { z } from 'zod';
import { defineDataset } from '../define-dataset.js';
import { text, unused } from '../parts.js';

/** The facts of its evidence are gold passages; a null query has no answer. */
export const multihopRag = defineDataset({
  name: 'multihop-rag',
  source: 'MultiHop-RAG',
  schema: z.strictObject({
    query: text,
    answer: text,
    question_type: z.string(),
    evidence_list: z.array(
      z.strictObject({
        title: z.string().default(''),
        fact: text,
        ...{ author: unused, category: unused, published_at: unused, source: unused, url: unused },
      }),
    ),
  }),
  question: ({ query, answer, question_type, evidence_list }) => ({
    question: query,
    ...(question_type === 'null_query'
      ? { answers: [], answerable: false }
      : { answers: [answer] }),
    passages: evidence_list.map(({ title, fact }) => ({ title, text: fact, isGold: true })),
  }),
  example: {
    ...{ query: 'Who built the bridge?', answer: 'Ada', question_type: 'inference_query' },
    evidence_list: [{ title: 'Bridge', url: 'u', fact: 'Ada built it.' }],
  },
});
