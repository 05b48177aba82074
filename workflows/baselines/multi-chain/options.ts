import { z } from 'zod';
import { between, whole } from '../../../core/options/ranges.js';
import { followUpOptions, type SelfAskChain } from '../self-ask/options.js';

export const options = z.strictObject({
  ...followUpOptions,
  chains: whole(2, 10).default(5).describe('C, chains sampled (ALLIES names no number: ours)'),
  temperature: between(0, 2)
    .default(0.7)
    .describe('of the chains after the first, which is greedy (ours: 0.7)'),
});

export type MultiChainOptions = z.output<typeof options>;

export interface MultiChainChain {
  /** The greedy one first. */
  chains: SelfAskChain[];
  /** What the model thought of them before its answer; null when no answer could be read. */
  reasoning: string | null;
  /** The answer of the meta-reasoning as read; null when it was not asked for or not readable. */
  reading: string | null;
}
