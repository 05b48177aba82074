import { z } from 'zod';
import { defineDataset } from '../define-dataset.js';
import { id, text, texts, unused } from '../parts.js';

/** What the search showed of each page, and not its HTML. */
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
          ...{ page_url: unused, page_result: unused, page_last_modified: unused },
        }),
      )
      .default([]),
    ...{ query_time: unused, domain: unused, question_type: unused },
    ...{ static_or_dynamic: unused, popularity: unused, split: unused },
  }),
  question: ({ interaction_id, query, answer, alt_ans, search_results }) => ({
    ...{ id: interaction_id, question: query, answers: [answer, ...alt_ans] },
    passages: search_results.map(({ page_name, page_snippet }) => ({
      ...{ title: page_name, text: page_snippet.trim() },
    })),
  }),
  example: {
    ...{ interaction_id: 'c1', query: 'Who built the bridge?', answer: 'Ada', alt_ans: ['A. B.'] },
    search_results: [{ page_name: 'Bridge', page_snippet: 'Ada did.', page_result: '<p>' }],
  },
});
