/** What the steps of a run took, and what the response cache saved of it. Pure. */
import type { StepUsage } from '../../methods/result.js';
import { addUsage, answeredUsd, noUsage, type Usage } from '../../methods/usage.js';

/** A step over all questions of a run. */
export interface StepFigures extends Usage {
  step: string;
  /** Questions that took the step. */
  questions: number;
  /** The models that served it. */
  models: string[];
  /** Paid calls by the tier that served them, where another one than the usual was asked for. */
  tiers?: Record<string, number>;
}

/** Calls that the response cache served, and what they would have cost. */
export interface Saving {
  calls: number;
  /** US dollars; null when a step has no call with a known price to estimate from. */
  costUsd: number | null;
}

/** The steps with those of one more question in them, in the order they were first met. */
export function addSteps(
  sums: Map<string, StepFigures>,
  steps: Readonly<Record<string, StepUsage>>,
): void {
  for (const [step, usage] of Object.entries(steps)) {
    const sum = sums.get(step) ?? { step, questions: 0, models: [], ...noUsage };
    sums.set(step, {
      step,
      questions: sum.questions + 1,
      models: [...new Set([...sum.models, ...usage.models])].sort(),
      ...addUsage(sum, usage),
      ...((sum.tiers || usage.tiers) && { tiers: addCounts(sum.tiers, usage.tiers) }),
    });
  }
}

function addCounts(a: Record<string, number> = {}, b: Record<string, number> = {}) {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return Object.fromEntries(names.map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]));
}

/** Calls by the tier that served them, over all steps; empty where no other than the usual was asked for. */
export function tiersOf(steps: readonly StepFigures[]): Record<string, number> {
  return steps.reduce<Record<string, number>>((so, { tiers }) => addCounts(so, tiers), {});
}

/**
 * An estimate: a call from the cache is taken to cost what the paid calls of the same step cost on
 * average, in this run, else in another one that the same models served. Of a call from the cache
 * itself no price is kept.
 */
export function estimateSaving(
  own: readonly StepFigures[],
  others: readonly (readonly StepFigures[])[] = [],
): Saving {
  let calls = 0;
  let costUsd: number | null = 0;
  for (const step of own) {
    if (step.cachedCalls === 0) continue;
    calls += step.cachedCalls;
    const alike = others.flatMap((steps) => steps.filter((other) => isAlike(step, other)));
    const price = [step, ...alike].map(priceOfCall).find((found) => found !== null);
    costUsd = costUsd === null || price === undefined ? null : costUsd + price * step.cachedCalls;
  }
  return { calls, costUsd };
}

function isAlike(one: StepFigures, other: StepFigures): boolean {
  return one.step === other.step && one.models.join() === other.models.join();
}

function priceOfCall(step: StepFigures): number | null {
  const paid = step.calls - step.cachedCalls;
  const costUsd = answeredUsd(step);
  return costUsd === null || paid === 0 ? null : costUsd / paid;
}
