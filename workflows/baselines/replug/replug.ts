/** RePlug as a workflow (SuRe, section 4.1; Shi et al., 2023). */

import type { PassageRef } from '../../../core/vocabulary.js';
import type { Reading } from '../../../steps/readers.js';
import type { AlgorithmOf } from '../../define-method.js';
import { countReadings, mostVoted, readEach, timesProbability } from '../voting/ensemble.js';
import { softmax } from '../voting/vote.js';
import type { ReplugOptions, replugMethod } from './method.js';

/** An answer from each passage, mixed by the softmax of retrieval scores or similarities. */
export const replug: AlgorithmOf<typeof replugMethod> = async ({ question, options, step }) => {
  const retrieved = await step.retrieve({ query: question, count: options.passages });
  const passages = retrieved.map(({ id }) => id);

  const embedded = options.weights === 'embedding' && passages.length > 0;
  const [{ ids, readings }, scored] = await Promise.all([
    readEach(step, question, passages, options.probabilities),
    embedded
      ? step.rankBySimilarity({ text: question, passages, count: passages.length })
      : retrieved,
  ]);
  const weights = replugWeights(options, retrieved, scored, readings);
  return mostVoted(countReadings(retrieved, ids, readings, weights));
};

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
