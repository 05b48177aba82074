/** Self-ask as a workflow (ALLIES, section 5.3; Press et al., 2022). */
import { passagesOfChains } from '../../methods/baselines/self-ask-chains.js';
import { answered, unanswered } from '../../methods/result.js';
import { questionWorkflow } from '../question-workflow.js';
import { chainsOf } from './ask-chain.js';

/** One chain of follow-up questions; its final answer is the answer. */
export const selfAsk = questionWorkflow('selfAsk', async (asked) => {
  const chain = await chainsOf(asked)();
  const evidence = passagesOfChains([chain]);
  return chain.answer === null
    ? unanswered('unreadable', evidence, chain)
    : answered(chain.answer, evidence, chain);
});
