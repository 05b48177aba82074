/** RePlug: options, and the weights of the passages' votes. Pure. */
import { z } from 'zod';
import type { Method } from '../method.js';
import { passageCount } from '../options.js';
import type { PassageRef } from '../vocabulary.js';
import { type Reading, timesProbability } from './ensemble.js';
import { softmax } from './vote.js';

const options = z.strictObject({
  passages: passageCount,
  temperature: z
    .number()
    .positive()
    .max(1000)
    .default(1)
    .describe(
      'of the softmax over retrieval scores (1); BM25 scores lie far apart, a higher one evens them out',
    ),
  probabilities: z
    .boolean()
    .default(true)
    .describe('weigh an answer by its probability too, where the endpoint gives it'),
});

export type ReplugOptions = z.output<typeof options>;

/** An answer from each passage by itself, mixed by the softmax of the retrieval scores. */
export const replugMethod: Method<ReplugOptions> = {
  name: 'replug',
  title: 'RePlug: answers of the passages, weighted by retrieval score',
  source: 'Shi et al., 2023, as described in SuRe (Kim et al., ICLR 2024), section 4.1 "RePlug"',
  options,
  callsFormula: 'N',
  calls: ({ passages: n }) => n,
  figures:
    'EM/F1, ChatGPT + BM25, N=10, weights from Contriever: NQ 26.0/35.3, WebQ 18.8/31.5, 2Wiki 23.6/28.5, HotpotQA 28.0/37.9',
};

/** The weights of the passages' votes, adding up to 1 at most; 1 where there is no passage. */
export function replugWeights(
  { temperature, probabilities }: ReplugOptions,
  passages: readonly PassageRef[],
  readings: readonly (Reading | null)[],
): number[] {
  const scores = passages.length === 0 ? [0] : passages.map(({ score }) => score);
  const weights = softmax(scores, temperature);
  return probabilities ? timesProbability(weights, readings) : weights;
}
