/** The base reader as a workflow: retrieve, then read (SuRe, section 4.1 and appendix A.5). */

import type { Algorithm } from '../algorithm.js';
import { readBest } from '../baselines/read-best.js';
import type { BaseChain, BaseOptions } from './method.js';

/** One call; with no passages asked for, the model answers from what it knows. */
export const base: Algorithm<BaseOptions, BaseChain> = async (asked) => {
  const { question, options, step } = asked;
  const { passages: count, demonstrations } = options;
  const passages = count === 0 ? [] : await step.retrieve({ query: question, count });

  const found = passages.map(({ id }) => id);
  return readBest(asked, found, { passages }, demonstrations);
};
