/** Rerank as a workflow (SuRe, section 4.1; Lazaridou et al., 2022). */

import type { Reading } from '../../../steps/readers.js';
import type { AlgorithmOf } from '../../define-method.js';
import {
  countReadings,
  mostVoted,
  readEach,
  takeAnswer,
  timesProbability,
} from '../voting/ensemble.js';
import { shares } from '../voting/vote.js';
import type { RerankOptions, rerankMethod } from './method.js';

/** The most answers the model can choose among: they are lettered. */
const MOST_CHOICES = 26;

/** An answer from each passage; the one with the most votes, or the one the model chooses. */
export const rerank: AlgorithmOf<typeof rerankMethod> = async ({ question, options, step }) => {
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
  return chosen ? takeAnswer(chain, chosen) : mostVoted(chain);
};

/** Tells whether the votes are weighted by how well the passages fit the question. */
function usesTfIdf({ aggregate }: RerankOptions): boolean {
  return aggregate === 'tfIdf' || aggregate === 'tfIdfAndProbability';
}

/**
 * Returns the weights of the passages' votes, adding up to 1.
 *
 * @param scores TF-IDF scores of the passages; equal ones for equal votes.
 */
export function rerankWeights(
  { aggregate }: RerankOptions,
  scores: readonly number[],
  readings: readonly (Reading | null)[],
): number[] {
  const weights = shares(scores);
  return aggregate === 'tfIdfAndProbability' ? timesProbability(weights, readings) : weights;
}
