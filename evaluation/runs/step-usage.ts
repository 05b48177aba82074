/** Sums up the usage of a run's steps. Pure. */
import type { StepUsage } from '../../core/result.js';
import { addUsage, NO_USAGE, type Usage } from '../../core/usage.js';

/**
 * The usage of one step, summed over the questions of a run, with the models, hosts and service
 * tiers of its calls.
 */
export interface StepFigures extends Usage {
  step: string;
  /** Number of questions that called the step. */
  questions: number;
  /** Models that served the step, as the provider names them, sorted. */
  models: string[];
  /** Hosts behind a router that served the step, sorted; empty if unknown. */
  hosts: string[];
  /**
   * Number of paid calls by the tier that served them, without those that asked for the usual tier
   * and got it; undefined if all did.
   */
  tiers?: Record<string, number>;
}

/** Adds the usage by step of one question to `sums`, which is changed. */
export function addSteps(
  sums: Map<string, StepFigures>,
  steps: Readonly<Record<string, StepUsage>>,
): void {
  for (const [step, usage] of Object.entries(steps)) {
    const sum = sums.get(step) ?? { step, questions: 0, models: [], hosts: [], ...NO_USAGE };
    sums.set(step, {
      step,
      questions: sum.questions + 1,
      models: [...new Set([...sum.models, ...usage.models])].sort(),
      hosts: [...new Set([...sum.hosts, ...(usage.hosts ?? [])])].sort(),
      ...addUsage(sum, usage),
      ...((sum.tiers || usage.tiers) && { tiers: addCounts(sum.tiers, usage.tiers) }),
    });
  }
}

function addCounts(a: Record<string, number> = {}, b: Record<string, number> = {}) {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return Object.fromEntries(names.map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]));
}

/**
 * Returns the number of paid calls by the tier that served them, over all steps: the provider's
 * name, such as "flex" or "default", or "refused" or "unsaid" as in `ServedTier`. Calls that asked
 * for the usual tier and got it are not counted; empty if all did.
 */
export function tiersOf(steps: readonly StepFigures[]): Record<string, number> {
  return steps.reduce<Record<string, number>>((sum, { tiers }) => addCounts(sum, tiers), {});
}
