/** Reranking by windows that slide from the back to the front (RankGPT). */

import type { Question } from '../../algorithm.js';

/** Documents put in order by one call (LLatrieval 4.1, its own window). */
export const WINDOW = 20;
/** How far the window moves on (Sun et al., EMNLP 2023). */
export const STRIDE = 10;

/** Positions from `start` up to, and without, `end`. */
export interface Window {
  start: number;
  end: number;
}

/** What one call put in order. */
export interface RankedWindow extends Window {
  /** The ids of the window after it, best first. */
  order: string[];
}

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

/**
 * Returns the windows over `count` documents, the last documents first. Each begins `stride`
 * positions before the one after it, so that `size - stride` documents can move on to the next; the
 * foremost one begins at 0 and may be smaller. None where there is nothing to put in order.
 *
 * @param stride at least 1 and less than `size`.
 */
export function slidingWindows(count: number, size: number, stride: number): Window[] {
  const windows: Window[] = [];
  for (let end = count; end > 1; end -= stride) {
    const start = Math.max(0, end - size);
    windows.push({ start, end });
    if (start === 0) break;
  }
  return windows;
}

/**
 * Returns the documents with those of a window in the order of a ranking. Positions that the window
 * does not have, and repeated ones, have no effect; what the ranking leaves out comes after the
 * rest, as it stood: no document is lost or repeated.
 *
 * @param ranking positions within the window, best first.
 */
export function permute<T>(
  documents: readonly T[],
  { start, end }: Window,
  ranking: readonly number[],
): T[] {
  const shown = documents.slice(start, end);
  const ranked = new Set(ranking.filter((position) => position in shown));
  const order = new Set([...ranked, ...shown.keys()]);
  const permuted = [...order].flatMap((position) => shown.slice(position, position + 1));
  return [...documents.slice(0, start), ...permuted, ...documents.slice(end)];
}
