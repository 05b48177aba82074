/** Zero-shot chain of thought: options. Pure. */
import { z } from 'zod';
import type { Method } from '../method.js';
import { optionalPassageCount } from '../options/options.js';
import type { PassageRef } from '../vocabulary.js';

const options = z.strictObject({
  passages: optionalPassageCount,
});

export type ChainOfThoughtOptions = z.output<typeof options>;

/** The base prompt with the request to think step by step before answering. */
export const chainOfThoughtMethod: Method<ChainOfThoughtOptions> = {
  name: 'chainOfThought',
  title: 'Zero-shot chain of thought',
  source:
    'Kojima et al., NeurIPS 2022, as described in SuRe (Kim et al., ICLR 2024), section 4.1 "Chain-of-thoughts"',
  options,
  steps: ['reason'],
  callsFormula: '1',
  calls: () => 1,
  plan: ({ passages: count }, { question, passages }) => [
    ...(count === 0 ? [] : [{ step: 'retrieve', input: { query: question } } as const]),
    { step: 'reason', input: { question, passages: passages(count) } },
  ],
  figures:
    'EM/F1, ChatGPT + BM25, N=10: NQ 22.3/31.4, WebQ 15.2/27.8, 2Wiki 19.6/22.5, HotpotQA 25.6/31.8',
};

export interface ChainOfThoughtChain {
  passages: PassageRef[];
  /** What the model thought before its answer; null when no answer could be read. */
  reasoning: string | null;
  /** The model's answer as read; null when it could not be read. */
  reading: string | null;
}
