/**
 * Who goes first where calls wait for each other, in one place.
 *
 * The numbers are Temporal's priority keys: 1 is served first, and 3 is what a workflow has that
 * was given none. A question's calls inherit the key of its workflow, and its fairness key.
 */

/** A question that somebody waits for. */
export const INTERACTIVE = 1;

/** A question of a run, and everything that was started without a key. */
export const BATCHED = 3;

/**
 * Returns the key of a question's calls after its first.
 *
 * Under a limit a queue served in order works breadth first: every question of a run is begun
 * before one is answered, and every answer is late. So what is begun goes before what is new.
 */
export function onceBegun(priorityKey: number): number {
  return priorityKey >= BATCHED ? priorityKey - 1 : priorityKey;
}
