/** Rerank as a workflow (SuRe, section 4.1; Lazaridou et al., 2022). */

import type { Algorithm } from '../../algorithm.js';
import type { EnsembleChain } from '../voting/ensemble.js';
import { countReadings, mostVoted, takeAnswer } from '../voting/ensemble.js';
import { readEach } from '../voting/read-each.js';
import { rerankWeights, usesTfIdf } from '../voting/vote-weights.js';
import type { RerankOptions } from './options.js';

/** The most answers the model can choose among: they are lettered. */
const MOST_CHOICES = 26;

/** An answer from each passage; the one with the most votes, or the one the model chooses. */
export const rerank: Algorithm<RerankOptions, EnsembleChain> = async ({
  question,
  options,
  step,
}) => {
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
