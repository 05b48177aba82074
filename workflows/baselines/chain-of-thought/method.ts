import { z } from 'zod';
import type { PassageRef } from '../../../core/vocabulary.js';
import { baseView, section, text } from '../../../report/views/parts.js';
import { defineMethod } from '../../define-method.js';
import { optionalPassageCount } from '../../options.js';

export interface ChainOfThoughtChain {
  passages: PassageRef[];
  /** What the model thought before its answer; null when no answer could be read. */
  reasoning: string | null;
  /** The model's answer as read; null when it could not be read. */
  reading: string | null;
}

export const chainOfThoughtMethod = defineMethod({
  name: 'chainOfThought',
  title: 'Zero-shot chain of thought',
  source:
    'Kojima et al., NeurIPS 2022, as described in SuRe (Kim et al., ICLR 2024), section 4.1 "Chain-of-thoughts"',
  options: z.strictObject({
    passages: optionalPassageCount,
  }),
  searches: ({ passages }) => passages > 0,
  view: (chain: ChainOfThoughtChain, context) => [
    ...section('Reasoning', text(chain.reasoning)),
    ...baseView(chain, context),
  ],
  steps: ['reason'],
  callsFormula: '1',
  figures:
    'EM/F1, ChatGPT + BM25, N=10: NQ 22.3/31.4, WebQ 15.2/27.8, 2Wiki 19.6/22.5, HotpotQA 25.6/31.8',
});
