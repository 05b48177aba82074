/** Zero-shot chain of thought (SuRe, section 4.1; Kojima et al., NeurIPS 2022). */

import { z } from 'zod';
import { chainPassages } from '../../../core/passages-read.js';
import { type Conclusion, concluded } from '../../../core/result.js';
import type { PassageRef } from '../../../core/vocabulary.js';
import { baseView, section, text } from '../../../report/views/section-parts.js';
import { defineMethod } from '../../define-method.js';
import { optionalPassageCount } from '../options.js';

const options = z.strictObject({
  passages: optionalPassageCount,
});

interface ChainOfThoughtChain {
  passages: PassageRef[];
  /** The model's reasoning before its answer; null if no answer could be read. */
  reasoning: string | null;
  /** The model's answer as read; null if it could not be read. */
  reading: string | null;
}

export const chainOfThought = defineMethod({
  module: import.meta.url,
  name: 'chainOfThought',
  title: 'Zero-shot chain of thought',
  source:
    'Kojima et al., NeurIPS 2022, as described in SuRe (Kim et al., ICLR 2024), section 4.1 "Chain-of-thoughts"',
  options,
  passagesRead: chainPassages,
  searches: ({ passages }) => passages > 0,
  view: (chain: ChainOfThoughtChain, context) => [
    ...section('Reasoning', text(chain.reasoning)),
    ...baseView(chain, context),
  ],
  figures:
    'EM/F1, ChatGPT + BM25, N=10: NQ 22.3/31.4, WebQ 15.2/27.8, 2Wiki 19.6/22.5, HotpotQA 25.6/31.8',

  /**
   * Makes one call: shows the passages, if any, and asks for reasoning step by step to the answer.
   */
  async algorithm({
    question,
    options: { passages: count },
    step,
  }): Promise<Conclusion<ChainOfThoughtChain>> {
    const retrieved = count === 0 ? [] : await step.retrieve({ query: question, count });
    const passages = retrieved.map(({ id }) => id);

    const reasoned = await step.reason({ question, passages });
    const chain = {
      passages: retrieved,
      reasoning: reasoned?.reasoning ?? null,
      reading: reasoned?.answer ?? null,
    };
    return concluded(chain.reading, passages, chain);
  },
});
