/** RePlug as a workflow (SuRe, section 4.1; Shi et al., 2023). */
import { countReadings, mostVoted } from '../../methods/baselines/ensemble.js';
import { replugMethod, replugWeights } from '../../methods/baselines/replug.js';
import { questionWorkflow } from '../question-workflow.js';
import { readEach } from './read-each.js';

/** An answer from each passage, mixed by the softmax of the retrieval scores. */
export const replug = questionWorkflow(replugMethod, async ({ question, options, step }) => {
  const retrieved = await step.retrieve({ query: question, count: options.passages });
  const passages = retrieved.map(({ id }) => id);

  const { ids, readings } = await readEach(step, question, passages, options.probabilities);
  const weights = replugWeights(options, retrieved, readings);
  return mostVoted(countReadings(retrieved, ids, readings, weights));
});
