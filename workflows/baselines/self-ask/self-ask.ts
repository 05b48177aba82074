/** Self-ask as a workflow (ALLIES, section 5.3; Press et al., 2022). */

import { answered, unanswered } from '../../../core/result.js';
import type { Algorithm } from '../../algorithm.js';
import { chainsOf } from './ask-chain.js';
import { passagesOfChains } from './chains.js';
import type { SelfAskChain, SelfAskOptions } from './options.js';

/** One chain of follow-up questions; its final answer is the answer. */
export const selfAsk: Algorithm<SelfAskOptions, SelfAskChain> = async (asked) => {
  const chain = await chainsOf(asked)();
  const evidence = passagesOfChains([chain]);
  return chain.answer === null
    ? unanswered('unreadable', evidence, chain)
    : answered(chain.answer, evidence, chain);
};
