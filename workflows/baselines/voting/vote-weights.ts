/** The weights of the passages' votes, of Rerank and RePlug. Pure. */
import type { PassageRef } from '../../../core/vocabulary.js';
import type { Reading } from '../../../steps/read-passage.js';
import type { ReplugOptions } from '../replug/options.js';
import type { RerankOptions } from '../rerank/options.js';
import { timesProbability } from './ensemble.js';
import { shares, softmax } from './vote.js';

/** Tells whether the votes are weighted by how well the passages fit the question. */
export function usesTfIdf({ aggregate }: RerankOptions): boolean {
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

/**
 * Returns the weights of the passages' votes, adding up to 1; 1 where there is no passage.
 *
 * @param passages as the readings stand.
 * @param scored the same, in whatever order, with the scores to weigh by.
 */
export function replugWeights(
  { temperature, probabilities }: Pick<ReplugOptions, 'temperature' | 'probabilities'>,
  passages: readonly PassageRef[],
  scored: readonly PassageRef[],
  readings: readonly (Reading | null)[],
): number[] {
  const scoreOf = new Map(scored.map(({ id, score }) => [id, score]));
  const scores = passages.length === 0 ? [0] : passages.map(({ id }) => scoreOf.get(id) ?? 0);
  const weights = softmax(scores, temperature);
  return probabilities ? timesProbability(weights, readings) : weights;
}
