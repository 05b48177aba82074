/** The order in which the model puts passages, window by window (RankGPT). */

import type { Question } from '../../algorithm.js';
import type { RankedWindow } from './options.js';
import { permute, slidingWindows } from './sliding-window.js';

/**
 * Puts the windows in order from the last to the first, so that the best passages move to the
 * front: one call a window.
 *
 * @param passages ids, in retrieval order.
 */
export async function rankInWindows(
  { question, step }: Omit<Question<unknown>, 'options'>,
  passages: readonly string[],
  { window: size, stride }: { window: number; stride: number },
): Promise<{ windows: RankedWindow[]; order: string[] }> {
  const windows: RankedWindow[] = [];
  let order = [...passages];
  for (const window of slidingWindows(order.length, size, stride)) {
    const { start, end } = window;
    const ranking = await step.rankPassages({ question, passages: order.slice(start, end) });
    order = permute(order, window, ranking);
    windows.push({ ...window, order: order.slice(start, end) });
  }
  return { windows, order };
}
