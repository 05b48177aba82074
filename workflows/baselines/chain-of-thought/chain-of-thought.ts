/** Zero-shot chain of thought as a workflow (SuRe, section 4.1; Kojima et al., NeurIPS 2022). */

import { concluded } from '../../../core/result.js';
import type { AlgorithmOf } from '../../define-method.js';
import type { chainOfThoughtMethod } from './method.js';

/** One call: the passages, if any, then step by step to the answer. */
export const chainOfThought: AlgorithmOf<typeof chainOfThoughtMethod> = async ({
  question,
  options: { passages: count },
  step,
}) => {
  const retrieved = count === 0 ? [] : await step.retrieve({ query: question, count });
  const passages = retrieved.map(({ id }) => id);

  const reasoned = await step.reason({ question, passages });
  const chain = {
    passages: retrieved,
    reasoning: reasoned?.reasoning ?? null,
    reading: reasoned?.answer ?? null,
  };
  return concluded(chain.reading, passages, chain);
};
