/** RankGPT as a workflow (LLatrieval, section 4.1; Sun et al., EMNLP 2023). */

import type { AlgorithmOf } from '../../define-method.js';
import { readBest } from '../read-best.js';
import type { rankGptMethod } from './method.js';
import { rankInWindows } from './sliding-window.js';

/** The model puts the candidates in order window by window; then the first k are read. */
export const rankGpt: AlgorithmOf<typeof rankGptMethod> = async (asked) => {
  const { question, options, step } = asked;
  const passages = await step.retrieve({ query: question, count: options.candidates });

  const ids = passages.map(({ id }) => id);
  const { windows, order } = await rankInWindows(asked, ids, options);
  return readBest(asked, order.slice(0, options.passages), { passages, windows, order });
};
