/**
 * Who goes first where calls wait for each other, in one place. Pure.
 *
 * The numbers are Temporal's priority keys: 1 is served first, and 3 is what a workflow has that
 * was given none. Within one key, Temporal shares the starts among fairness keys by their weights.
 * A question's calls inherit both from its workflow.
 */
import type { Priority } from '@temporalio/common';

/** Priority of a question that a person waits for. */
export const INTERACTIVE = 1;

/** Priority of a run's questions, and of everything that was started without a key. */
export const BATCHED = 3;

/** What Temporal allows of a weight. */
const LEAST_WEIGHT = 0.001;

/** The least part of a weight that the later calls of questions have. */
const LEAST_OF_LATER = 0.5;

/** Behind the key of a run; the key of the later calls of its questions. */
const LATER = '+';

/** What Temporal allows is 64 bytes, one of which is for `LATER`. */
export const LONGEST_FAIRNESS_KEY = 63;

/**
 * Returns the part of a call in what its run is given.
 *
 * A queue served in order works breadth first: every question of a run is begun before one is
 * answered, and every answer is late. A priority key of their own would let later calls go ahead,
 * but also ahead of every other run. So a run shares its weight among two fairness keys: of n calls
 * a question, its first has 1/n, and the later ones have the rest. New questions then begin as fast
 * as those that are begun are asked on, and the run as a whole gets what its weight says.
 *
 * @param own Of the question's workflow.
 * @param callsEach About how many calls a question makes; undefined while nobody knows. Without it,
 *   or a fairness key, all calls are served in order.
 * @returns what differs from `own`.
 */
export function callPriority(
  { fairnessKey, fairnessWeight }: Priority,
  callsEach: number | undefined,
  isFirst: boolean,
): Priority {
  if (fairnessKey === undefined || fairnessKey === '') return {};
  if (callsEach === undefined || callsEach <= 1) return {};
  const weight = fairnessWeight || 1;
  const first = 1 / callsEach;
  if (isFirst) return { fairnessWeight: Math.max(weight * first, LEAST_WEIGHT) };
  const later = Math.max(1 - first, LEAST_OF_LATER);
  return { fairnessKey: fairnessKey + LATER, fairnessWeight: weight * later };
}
