/**
 * Priorities of calls that wait for each other. Pure.
 *
 * The numbers are Temporal's priority keys: 1 is served first, and 3 is the default of a workflow. Within one key, Temporal shares the starts among fairness keys by their weights.
 * A question's calls inherit both from its workflow.
 */
import type { Priority } from '@temporalio/common';
import type { TenantShare } from '../../core/tenants.js';

/** Temporal's priority key of a question that a person waits for: 1, which is served first. */
export const INTERACTIVE = 1;

/**
 * Temporal's priority key of the questions of a run, and of every workflow that was started without
 * a key: 3.
 */
export const BATCHED = 3;

/** Smallest weight that Temporal accepts. */
const LEAST_WEIGHT = 0.001;

/** Smallest part of a run's weight that the later calls of its questions get. */
const LEAST_OF_LATER = 0.5;

/** Suffix of a run's fairness key for the later calls of its questions. */
const LATER = '+';

/**
 * Longest fairness key of a run, in bytes. Temporal accepts 64, and the suffix for later calls
 * takes one.
 */
export const LONGEST_FAIRNESS_KEY = 63;

/** The properties of a call that decide its share within its run. */
interface Place {
  /** Tenant of the question; undefined if it has none. */
  tenant?: TenantShare | undefined;
  /** Expected number of calls of a question; if undefined, all calls are served in order. */
  callsEach?: number | undefined;
  /** Whether this is the first call of the question. */
  isFirst: boolean;
}

/**
 * Returns the fairness key and weight of a call, which decide its share of the capacity within its
 * run, or within its tenant outside of a run.
 *
 * A queue served in order works breadth first: every question of a run is begun before one is
 * answered, and every answer is late. A priority key of their own would let later calls go ahead,
 * but also ahead of every other run. So a run splits its weight between two fairness keys: of n
 * calls a question, its first has 1/n, and the later ones have the rest. New questions then begin
 * as fast as the begun ones continue, and the run as a whole gets the share of its weight.
 *
 * @param own Priority of the question's workflow. Its fairness key is that of the run, if a run
 * asks.
 * @returns The fields that differ from `own`; an empty object for a call without a fairness key.
 */
export function callPriority(own: Priority, { tenant, callsEach = 1, isFirst }: Place): Priority {
  const key = own.fairnessKey || tenant?.name;
  if (key === undefined) return {};
  const weight = own.fairnessWeight || tenant?.weight || 1;
  const first = 1 / Math.max(callsEach, 1);
  const isLater = first < 1 && !isFirst;
  const part = isLater ? Math.max(1 - first, LEAST_OF_LATER) : first;
  const fairnessKey = isLater ? key + LATER : key;
  const fairnessWeight = Math.max(weight * part, LEAST_WEIGHT);
  return {
    ...(fairnessKey !== own.fairnessKey && { fairnessKey }),
    ...(fairnessWeight !== (own.fairnessWeight || 1) && { fairnessWeight }),
  };
}
