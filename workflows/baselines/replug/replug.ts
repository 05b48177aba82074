/** RePlug as a workflow (SuRe, section 4.1; Shi et al., 2023). */

import type { Algorithm } from '../../algorithm.js';
import type { EnsembleChain } from '../voting/ensemble.js';
import { countReadings, mostVoted } from '../voting/ensemble.js';
import { readEach } from '../voting/read-each.js';
import { replugWeights } from '../voting/vote-weights.js';
import type { ReplugOptions } from './options.js';

/** An answer from each passage, mixed by the softmax of retrieval scores or similarities. */
export const replug: Algorithm<ReplugOptions, EnsembleChain> = async ({
  question,
  options,
  step,
}) => {
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
