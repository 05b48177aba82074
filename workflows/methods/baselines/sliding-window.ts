/** Reranks by windows that slide from the back to the front (RankGPT). */

import type { Question } from '../../algorithm.js';

/**
 * Default size of the window: 20, the number of documents that one call puts in order (LLatrieval
 * 4.1).
 */
export const WINDOW = 20;
/**
 * Default stride of the window: 10, the number of positions by which it moves (Sun et al., EMNLP
 * 2023).
 */
export const STRIDE = 10;

/** Positions from `start` up to, but not including, `end`. */
interface Window {
  start: number;
  end: number;
}

/**
 * A window of passages: its start and its end (exclusive) as positions in the list, and its ids in
 * the order that one call gave them.
 */
export interface RankedWindow extends Window {
  /** Ids of the window in their new order, best first. */
  order: string[];
}

/**
 * Reranks passages window by window, from the last to the first, with one call each, so that the
 * best passages move to the front. Returns `order`, the final order of all ids, and `windows`, the
 * order of each window after its call, the last window first.
 *
 * @param passages Ids, in retrieval order.
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
 * Returns the windows over `count` documents, as positions from `start` up to but not including
 * `end`, from the back to the front. Each begins `stride` positions before the previous one, so
 * that they overlap by `size - stride` documents. The last window begins at 0 and may be smaller.
 * Empty for fewer than two documents.
 *
 * @param stride At least 1 and less than `size`.
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
 * Returns all documents, with those of a window reordered by a ranking. Repeated positions and
 * positions outside the window are ignored; documents that the ranking leaves out come last in
 * their present order, so that none is lost or repeated.
 *
 * @param ranking Positions within the window, best first.
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
