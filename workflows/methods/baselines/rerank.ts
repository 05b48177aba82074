/** Rerank (SuRe, section 4.1; Lazaridou et al., 2022). */

import { z } from 'zod';
import { chainPassages } from '../../../core/passages-read.js';
import type { Conclusion } from '../../../core/result.js';
import type { PassageAnswer } from '../../../steps/readers.js';
import { defineMethod } from '../../define-method.js';
import { passageCount } from '../options.js';
import {
  concludeWith,
  countReadings,
  type EnsembleChain,
  mostVoted,
  readEach,
  timesProbability,
  votedAnswers,
} from './voting/ensemble.js';
import { ensembleView } from './voting/view.js';
import { normalizedShares } from './voting/vote.js';

const options = z.strictObject({
  passages: passageCount,
  aggregate: z
    .enum(['tfIdf', 'tfIdfAndProbability', 'vote', 'model'])
    .default('tfIdf')
    .describe(
      'how the answers of the passages become one: votes weighted by TF-IDF (SuRe 4.1); that times ' +
        'the probability of the answer, if the endpoint gives it (Lazaridou et al.); equal ' +
        'votes; or the model chooses among the answers',
    ),
});

type RerankOptions = z.output<typeof options>;

export const rerank = defineMethod({
  module: import.meta.url,
  name: 'rerank',
  title: 'Rerank: an answer from each passage, then a vote',
  source:
    'Lazaridou et al., 2022, as described in SuRe (Kim et al., ICLR 2024), section 4.1 "Rerank"',
  options,
  passagesRead: chainPassages,
  facts: { candidates: votedAnswers },
  view: ensembleView,
  figures:
    'EM/F1, ChatGPT + BM25, N=10: NQ 24.8/33.9, WebQ 18.8/30.6, 2Wiki 23.0/28.4, HotpotQA 27.8/37.4',

  /**
   * Reads an answer from each passage; takes the one with the most votes, or the one the model
   * chooses.
   */
  async algorithm({ question, options, step }): Promise<Conclusion<EnsembleChain>> {
    const { passages: count, aggregate } = options;
    const retrieved = await step.retrieve({ query: question, count });
    const passages = retrieved.map(({ id }) => id);

    const scored = usesTfIdf(options) && passages.length > 0;
    const [{ ids, readings }, scores] = await Promise.all([
      readEach(step, question, passages, aggregate === 'tfIdfAndProbability'),
      scored ? step.scoreByTfIdf({ query: question, passages }) : null,
    ]);
    const weights = rerankWeights(options, scores ?? ids.map(() => 1), readings);
    const chain = countReadings(retrieved, ids, readings, weights);
    const choices = chain.answers.slice(0, MOST_CHOICES).map(({ answer }) => answer);
    if (aggregate !== 'model' || choices.length < 2) return mostVoted(chain);

    const taken = await step.choose({ question, passages, choices });
    const chosen = chain.answers[taken?.choice ?? -1];
    return chosen ? concludeWith(chain, chosen) : mostVoted(chain);
  },
});

/** Maximum number of answers among which the model can choose, since each has a letter. */
const MOST_CHOICES = 26;

/** Returns whether votes are weighted by how well the passages fit the question. */
function usesTfIdf({ aggregate }: RerankOptions): boolean {
  return aggregate === 'tfIdf' || aggregate === 'tfIdfAndProbability';
}

/**
 * Returns the weight of each reading's vote, in the order of the readings; the weights add up to
 * 1.
 *
 * @param scores TF-IDF scores of the passages, in the order of the readings; equal ones give equal
 * votes.
 * @param readings Null for a passage whose answer could not be read.
 */
export function rerankWeights(
  { aggregate }: RerankOptions,
  scores: readonly number[],
  readings: readonly (PassageAnswer | null)[],
): number[] {
  const weights = normalizedShares(scores);
  return aggregate === 'tfIdfAndProbability' ? timesProbability(weights, readings) : weights;
}
