/** Multi-chain reasoning (ALLIES, section 5.3; Yoran et al., 2023). */

import { z } from 'zod';
import { between, whole } from '../../../core/options/ranges.js';
import { passagesOf } from '../../../core/passages-read.js';
import { answered, type Conclusion, unanswered } from '../../../core/result.js';
import { readingSection, section, text } from '../../../report/views/section-parts.js';
import { greedyThenSampled } from '../../../steps/samples.js';
import { defineMethod } from '../../define-method.js';
import {
  chainWriter,
  evidencePairs,
  followUpCards,
  followUpOptions,
  mostFrequentAnswer,
  passagesOfChains,
  type SelfAskChain,
} from './self-ask.js';

const options = z.strictObject({
  ...followUpOptions,
  chains: whole(2, 10).default(5).describe('C, chains sampled (ALLIES names no number: ours)'),
  temperature: between(0, 2)
    .default(0.7)
    .describe('of the chains after the first, which is greedy (ours: 0.7)'),
});

interface MultiChainChain {
  /** Chains, the greedy one first. */
  chains: SelfAskChain[];
  /** The model's reasoning over the chains before its answer; null if no answer could be read. */
  reasoning: string | null;
  /** The answer of the meta-reasoning as read; null if it was not asked for or not readable. */
  reading: string | null;
}

export const multiChain = defineMethod({
  module: import.meta.url,
  name: 'multiChain',
  title:
    'Multi-chain reasoning (MCR): several self-ask chains, then reasoning over what all of them found',
  source:
    'Yoran et al., 2023, as a baseline of ALLIES (Sun et al., Findings of EMNLP 2023), section 5.3, tables 1 and 4',
  options,
  passagesRead: ({ chains }: MultiChainChain) =>
    chains.flatMap(({ followUps }) => followUps.flatMap(passagesOf)),
  searches: ({ passages }) => passages > 0,
  view: ({ chains, reasoning, reading }: MultiChainChain, context) => [
    ...section('Reasoning over the chains', text(reasoning)),
    ...readingSection(reading, context),
    ...chains.flatMap((chain, i) =>
      section(`Chain ${i + 1}`, followUpCards(chain), {
        note: chain.answer ?? 'no answer',
        closed: true,
      }),
    ),
  ],
  figures:
    'with retrieval, the form of ALLIES (table 4: 12 calls, 12 retrievals a question), EM/F1, GPT-3.5-turbo: NQ 27.1/35.7; with passages 0 ALLIES reports none',

  /**
   * Runs several self-ask chains in parallel, then makes one call that reasons over all their
   * questions and findings. If its output cannot be read, the answer of most chains is taken.
   */
  async algorithm(asked): Promise<Conclusion<MultiChainChain>> {
    const { question, options, step } = asked;
    const ask = chainWriter(asked);
    const samples = greedyThenSampled(options.chains, options.temperature);
    const chains = await Promise.all(samples.map((sample) => ask(sample)));
    const evidence = passagesOfChains(chains);

    const none = { chains, reasoning: null, reading: null };
    const pairs = evidencePairs(question, chains, evidence);
    if (pairs.length === 0) return unanswered('unreadable', evidence, none);

    const reasoned = await step.metaReason({ question, passages: evidence, pairs });
    const answer = reasoned?.answer ?? mostFrequentAnswer(chains);
    if (answer === null) return unanswered('unreadable', evidence, none);
    const { reasoning, answer: reading } = reasoned ?? { reasoning: null, answer: null };
    return answered(answer, evidence, { chains, reasoning, reading });
  },
});
