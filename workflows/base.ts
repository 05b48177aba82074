/** The base reader as a workflow: retrieve, then read (SuRe, section 4.1 and appendix A.5). */
import { type BaseChain, baseMethod } from '../methods/base.js';
import { answered, unanswered } from '../methods/result.js';
import { questionWorkflow } from './question-workflow.js';

/** One call; with no passages asked for, the model answers from what it knows. */
export const base = questionWorkflow(baseMethod, async ({ question, options, step }) => {
  const { passages: count, demonstrations } = options;
  const retrieved = count === 0 ? [] : await step.retrieve({ query: question, count });
  const passages = retrieved.map(({ id }) => id);

  const reading = await step.read({ question, passages, demonstrations });
  const chain: BaseChain = { passages: retrieved, reading };
  return reading === null
    ? unanswered('unreadable', passages, chain)
    : answered(reading, passages, chain);
});
