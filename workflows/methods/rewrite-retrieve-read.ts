/** Rewrite-Retrieve-Read (Ma et al., EMNLP 2023), without training. */

import { z } from 'zod';
import type { FinalReading } from '../../core/citations.js';
import { whole } from '../../core/options/ranges.js';
import { chainPassages } from '../../core/passages-read.js';
import type { Conclusion } from '../../core/result.js';
import type { PassageRef } from '../../core/vocabulary.js';
import { baseView, type Search, searchSection } from '../../report/views/section-parts.js';
import { fuseByRank, interleave } from '../../retrieval/fuse.js';
import { defineMethod } from '../define-method.js';
import { answerForm, optionsOf } from './options.js';
import { readBest } from './read-best.js';

const options = optionsOf(
  {
    passages: whole(1, 200)
      .default(10)
      .describe('N, passages found by each query, and read of all that is found (the script: 10)'),
    queries: whole(1, 10)
      .default(3)
      .describe('queries written for the question, at most (the paper sets no number: ours)'),
    join: z
      .enum(['turns', 'rank'])
      .default('turns')
      .describe(
        'what is read of several searches: the first of each, then the second of each, or the best by reciprocal rank fusion (ours; the script reads all, one search behind the other)',
      ),
    answerForm,
  },
  { unread: { join: ({ queries }) => queries === 1 && 'there is one search' } },
);

/** The chain of `rewriteRetrieveRead`: the searches, the passages read, and the answer. */
export interface RewriteRetrieveReadChain extends FinalReading {
  /** One search for each query; a search with the question if no query could be read. */
  searches: Search[];
  /** The passages that were read, in order. */
  passages: PassageRef[];
}

/**
 * The method `rewriteRetrieveRead`: searches with queries that the model writes for the question,
 * then reads ("Query Rewriting for Retrieval-Augmented Large Language Models").
 */
export const rewriteRetrieveRead = defineMethod({
  module: import.meta.url,
  name: 'rewriteRetrieveRead',
  title: 'Rewrite-Retrieve-Read: search with queries written for the question, then read',
  source: 'Rewrite-Retrieve-Read (Ma et al., EMNLP 2023), the form without training',
  options,
  passagesRead: chainPassages,
  cites: ({ answerForm }) => (answerForm === 'short' ? undefined : answerForm),
  view: (chain: RewriteRetrieveReadChain, context) => [
    ...searchSection(chain.searches, chain.passages),
    ...baseView(chain, context),
  ],
  figures: 'few-shot, over a web search: none stands beside this form',

  /**
   * Writes queries, searches with each, and reads the first N of the joined results. If no query
   * could be read, it searches with the question.
   */
  async algorithm(asked): Promise<Conclusion<RewriteRetrieveReadChain>> {
    const { question, options, step } = asked;
    const { passages: count, queries: most, join } = options;
    const written = await step.rewriteQuestion({ question, count: most });
    const queries = written.length === 0 ? [question] : written;

    const found = await Promise.all(queries.map((query) => step.retrieve({ query, count })));
    const passages = (join === 'rank' ? fuseByRank(found) : interleave(found)).slice(0, count);
    const searches = queries.map((query, i) => ({ query, found: idsOf(found[i] ?? []) }));
    return readBest(asked, idsOf(passages), { searches, passages });
  },
});

function idsOf(passages: readonly PassageRef[]): string[] {
  return passages.map(({ id }) => id);
}
