/** The base reader as a workflow: retrieve, then read (SuRe, section 4.1 and appendix A.5). */

import { readBest } from '../baselines/read-best.js';
import type { AlgorithmOf } from '../define-method.js';
import type { baseMethod } from './method.js';

/** One call; with no passages asked for, the model answers from what it knows. */
export const base: AlgorithmOf<typeof baseMethod> = async (asked) => {
  const { question, options, step } = asked;
  const { passages: count, demonstrations } = options;
  const passages = count === 0 ? [] : await step.retrieve({ query: question, count });

  const found = passages.map(({ id }) => id);
  return readBest(asked, found, { passages }, demonstrations);
};
