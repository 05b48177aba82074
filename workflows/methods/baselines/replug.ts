/** RePlug (SuRe, section 4.1; Shi et al., 2023). */

import { z } from 'zod';
import { positive } from '../../../core/options/ranges.js';
import { chainPassages } from '../../../core/passages-read.js';
import type { Conclusion } from '../../../core/result.js';
import type { PassageRef } from '../../../core/vocabulary.js';
import type { PassageAnswer } from '../../../steps/readers.js';
import { defineMethod } from '../../define-method.js';
import { passageCount } from '../options.js';
import {
  countReadings,
  type EnsembleChain,
  mostVoted,
  readEach,
  timesProbability,
  votedAnswers,
} from './voting/ensemble.js';
import { ensembleView } from './voting/view.js';
import { softmax } from './voting/vote.js';

const options = z.strictObject({
  passages: passageCount,
  weights: z
    .enum(['retrieval', 'embedding'])
    .default('embedding')
    .describe(
      'scores that the passages weigh by: the cosine to the question (SuRe 4.1: embeddings), or those of the search',
    ),
  temperature: positive(1000)
    .default(1)
    .describe(
      'of the softmax over the scores (Shi et al.: 1); cosines lie close together, those of BM25 so far apart that the first passage has most of the weight',
    ),
  probabilities: z
    .boolean()
    .default(true)
    .describe('weigh an answer by its probability too, if the endpoint gives it'),
});

type ReplugOptions = z.output<typeof options>;

export const replug = defineMethod({
  module: import.meta.url,
  name: 'replug',
  title: 'RePlug: answers of the passages, weighted by similarity or retrieval score',
  source: 'Shi et al., 2023, as described in SuRe (Kim et al., ICLR 2024), section 4.1 "RePlug"',
  options,
  passagesRead: chainPassages,
  facts: { candidates: votedAnswers },
  view: ensembleView,
  figures:
    'EM/F1, ChatGPT + BM25, N=10, weights from Contriever: NQ 26.0/35.3, WebQ 18.8/31.5, 2Wiki 23.6/28.5, HotpotQA 28.0/37.9',

  /**
   * Reads an answer from each passage and mixes them by the softmax of retrieval scores or
   * similarities.
   */
  async algorithm({ question, options, step }): Promise<Conclusion<EnsembleChain>> {
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
  },
});

/**
 * Returns the weight of each passage's vote, in the order of the readings; the weights add up to 1.
 * Returns a single 1 if there is no passage.
 *
 * @param passages The passages in the order of the readings.
 * @param scored The same passages in any order, with the scores for the softmax.
 */
export function replugWeights(
  { temperature, probabilities }: Pick<ReplugOptions, 'temperature' | 'probabilities'>,
  passages: readonly PassageRef[],
  scored: readonly PassageRef[],
  readings: readonly (PassageAnswer | null)[],
): number[] {
  const scoreOf = new Map(scored.map(({ id, score }) => [id, score]));
  const scores = passages.length === 0 ? [0] : passages.map(({ id }) => scoreOf.get(id) ?? 0);
  const weights = softmax(scores, temperature);
  return probabilities ? timesProbability(weights, readings) : weights;
}
