/** Reranking of passages as a workflow (SuRe, section 4.3, table 4; LLatrieval, section 4.1). */

import type { AlgorithmOf } from '../../define-method.js';
import { readBest } from '../read-best.js';
import type { rerankPassagesMethod } from './method.js';
import { rankBy } from './rank-by.js';

/** Puts the passages in each of the orders asked for, and reads the k best of the first. */
export const rerankPassages: AlgorithmOf<typeof rerankPassagesMethod> = async (asked) => {
  const { question, options, step } = asked;
  const passages = await step.retrieve({ query: question, count: options.candidates });

  const orders = [...new Set([options.by, ...options.compare])];
  const rankings = await Promise.all(orders.map((by) => rankBy(by, asked, passages)));
  const ranked = rankings[0]?.ranked ?? [];
  const best = ranked.slice(0, options.passages).map(({ id }) => id);
  return readBest(asked, best, { passages, rankings });
};
