/** ITER-RETGEN (Shao et al., Findings of EMNLP 2023). */

import { concluded } from '../../core/result.js';
import type { AlgorithmOf } from '../define-method.js';
import type { iterRetgenMethod, RetgenIteration } from './method.js';

/**
 * Retrieves and answers by turns: each output is searched with beside the question, and what is
 * found replaces the passages before. The answer is that of the last iteration.
 */
export const iterRetgen: AlgorithmOf<typeof iterRetgenMethod> = async (asked) => {
  const { question, options, step } = asked;
  const iterations: RetgenIteration[] = [];
  let query = question;
  for (let iteration = 0; iteration < options.iterations; iteration++) {
    const passages = await step.retrieve({ query, count: options.passages });
    const ids = passages.map(({ id }) => id);
    const written = await step.thinkAndAnswer({ question, passages: ids, iteration });
    iterations.push({ query, passages, ...written });
    query = nextQuery(question, written.output);
  }

  const { passages = [], answer = null } = iterations.at(-1) ?? {};
  const evidence = passages.map(({ id }) => id);
  const chain = { passages, iterations };
  return concluded(answer, evidence, chain);
};

/** Returns the output and the question on one line; an empty output is left out. */
export function nextQuery(question: string, output: string): string {
  return `${output} ${question}`.replace(/\s+/g, ' ').trim();
}
