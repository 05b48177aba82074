/** RankGPT as a workflow (LLatrieval, section 4.1; Sun et al., EMNLP 2023). */
import { type RankedWindow, rankGptMethod } from '../../methods/baselines/rank-gpt.js';
import { permute, slidingWindows } from '../../methods/baselines/sliding-window.js';
import { questionWorkflow } from '../question-workflow.js';
import { readBest } from './read-best.js';

/**
 * Puts the candidates in order window by window, from the last to the first, so that the best move
 * to the front; then reads the first k.
 */
export const rankGpt = questionWorkflow(rankGptMethod, async (asked) => {
  const { question, options, step } = asked;
  const passages = await step.retrieve({ query: question, count: options.candidates });

  const windows: RankedWindow[] = [];
  let order = passages.map(({ id }) => id);
  for (const window of slidingWindows(order.length, options.window, options.stride)) {
    const { start, end } = window;
    const ranking = await step.rankPassages({ question, passages: order.slice(start, end) });
    order = permute(order, window, ranking);
    windows.push({ ...window, order: order.slice(start, end) });
  }
  return readBest(asked, order.slice(0, options.passages), { passages, windows, order });
});
