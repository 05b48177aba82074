/** Multi-chain reasoning: options, and what led to its answer. Pure. */

import { z } from 'zod';
import type { Method } from '../method.js';
import { partOf, times } from '../planned-call.js';
import { chainCalls, followUpOptions, planChain, type SelfAskChain } from './self-ask.js';

const options = z.strictObject({
  ...followUpOptions,
  chains: z
    .int()
    .min(2)
    .max(10)
    .default(5)
    .describe('C, chains sampled (ALLIES names no number: ours)'),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .default(0.7)
    .describe('of the chains after the first, which is greedy (ours: 0.7)'),
});

export type MultiChainOptions = z.output<typeof options>;

/** Several self-ask chains, then one call that reasons over all that they asked and found. */
export const multiChainMethod: Method<MultiChainOptions> = {
  name: 'multiChain',
  title:
    'Multi-chain reasoning (MCR): several self-ask chains, then reasoning over what all of them found',
  source:
    'Yoran et al., 2023, as a baseline of ALLIES (Sun et al., Findings of EMNLP 2023), section 5.3, tables 1 and 4',
  options,
  steps: ['followUp', 'read', 'selfAsk', 'metaReason'],
  callsFormula: 'at most C(2M + 1) + 1; C + 1 without retrieval',
  calls: (chosen) => chosen.chains * chainCalls(chosen) + 1,
  plan: (chosen, given) => {
    const { passages: count, maxFollowUps: m, chains } = chosen;
    const { question, passages, output } = given;
    const asked = chains * m;
    // Without retrieval one output holds a chain: its follow-ups, their answers, and its own.
    const said = partOf(output('selfAsk', { maxFollowUps: m }), 2 * m + 1);
    const pair =
      count === 0
        ? { question: said, answer: said }
        : { question: output('followUp'), evidence: times(count, () => asked * count) };
    return [
      ...times(chains, () => planChain(chosen, given)).flat(),
      {
        step: 'metaReason',
        input: { question, passages: passages(asked * count), pairs: times(asked, () => pair) },
      },
    ];
  },
  figures:
    'with retrieval, the form of ALLIES (table 4: 12 calls, 12 retrievals a question), EM/F1, GPT-3.5-turbo: NQ 27.1/35.7; with passages 0 ALLIES reports none',
};

export interface MultiChainChain {
  /** The greedy one first. */
  chains: SelfAskChain[];
  /** What the model thought of them before its answer; null when no answer could be read. */
  reasoning: string | null;
  /** The answer of the meta-reasoning as read; null when it was not asked for or not readable. */
  reading: string | null;
}
