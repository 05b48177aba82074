/** ITER-RETGEN as a workflow (Shao et al., Findings of EMNLP 2023). */
import type { RetgenIteration } from '../methods/iter-retgen.js';
import { nextQuery } from '../methods/next-query.js';
import { answered, unanswered } from '../methods/result.js';
import { questionWorkflow } from './question-workflow.js';

/**
 * Retrieves and answers by turns: what was written is searched with beside the question, and what
 * is found takes the place of what was read. The answer is that of the last iteration.
 */
export const iterRetgen = questionWorkflow('iterRetgen', async ({ question, options, step }) => {
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
  return answer === null
    ? unanswered('unreadable', evidence, chain)
    : answered(answer, evidence, chain);
});
