/** Multi-chain reasoning as a workflow (ALLIES, section 5.3; Yoran et al., 2023). */

import type { Algorithm } from '../../../methods/algorithm.js';
import { answered, unanswered } from '../../../methods/result.js';
import { greedyThenSampled } from '../../../steps/samples.js';
import { chainsOf } from '../self-ask/ask-chain.js';
import { mostGiven, passagesOfChains } from '../self-ask/chains.js';
import type { MultiChainChain, MultiChainOptions } from './options.js';

/**
 * Several self-ask chains side by side, then one call that reasons over all of them. Where that
 * cannot be read, the answer that most chains came to.
 */
export const multiChain: Algorithm<MultiChainOptions, MultiChainChain> = async (asked) => {
  const { question, options, step } = asked;
  const ask = chainsOf(asked);
  const samples = greedyThenSampled(options.chains, options.temperature);
  const chains = await Promise.all(samples.map((sample) => ask(sample)));
  const evidence = passagesOfChains(chains);

  const said = chains.filter(({ followUps, answer }) => followUps.length > 0 || answer !== null);
  const none: MultiChainChain = { chains, reasoning: null, reading: null };
  if (said.length === 0) return unanswered('unreadable', evidence, none);

  const shown = said.map(({ followUps, answer }) => ({
    followUps: followUps.map((one) => ({ question: one.question, answer: one.answer })),
    answer,
  }));
  const reasoned = await step.metaReason({ question, chains: shown });
  const answer = reasoned?.answer ?? mostGiven(chains);
  if (answer === null) return unanswered('unreadable', evidence, none);
  const { reasoning, answer: reading } = reasoned ?? { reasoning: null, answer: null };
  return answered(answer, evidence, { chains, reasoning, reading });
};
