/** Multi-chain reasoning as a workflow (ALLIES, section 5.3; Yoran et al., 2023). */

import { answered, unanswered } from '../../../core/result.js';
import { greedyThenSampled } from '../../../steps/samples.js';
import type { AlgorithmOf } from '../../define-method.js';
import { mostGiven, pairsOf, passagesOfChains } from '../self-ask/chains.js';
import { chainsOf } from '../self-ask/self-ask.js';
import type { multiChainMethod } from './method.js';

/**
 * Several self-ask chains side by side, then one call that reasons over all that they asked and
 * found. Where that cannot be read, the answer that most chains came to.
 */
export const multiChain: AlgorithmOf<typeof multiChainMethod> = async (asked) => {
  const { question, options, step } = asked;
  const ask = chainsOf(asked);
  const samples = greedyThenSampled(options.chains, options.temperature);
  const chains = await Promise.all(samples.map((sample) => ask(sample)));
  const evidence = passagesOfChains(chains);

  const none = { chains, reasoning: null, reading: null };
  const pairs = pairsOf(question, chains, evidence);
  if (pairs.length === 0) return unanswered('unreadable', evidence, none);

  const reasoned = await step.metaReason({ question, passages: evidence, pairs });
  const answer = reasoned?.answer ?? mostGiven(chains);
  if (answer === null) return unanswered('unreadable', evidence, none);
  const { reasoning, answer: reading } = reasoned ?? { reasoning: null, answer: null };
  return answered(answer, evidence, { chains, reasoning, reading });
};
