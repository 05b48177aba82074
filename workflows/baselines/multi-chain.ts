/** Multi-chain reasoning as a workflow (ALLIES, section 5.3; Yoran et al., 2023). */

import type { MultiChainChain, MultiChainOptions } from '../../methods/baselines/multi-chain.js';
import { greedyThenSampled } from '../../methods/baselines/samples.js';
import { mostGiven, passagesOfChains } from '../../methods/baselines/self-ask-chains.js';
import { answered, unanswered } from '../../methods/result.js';
import type { Algorithm } from '../algorithm.js';
import { chainsOf } from './ask-chain.js';

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
