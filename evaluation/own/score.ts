/** Which metrics of somebody's own apply to a question, and what an answer scores in them. Pure. */

import type { ScoredQuestion } from '../../methods/own-metric.js';
import {
  isRubric,
  type OwnMetric,
  type Rubric,
  type ScoredAnswer,
  type Scorer,
} from '../../methods/own-metric.js';
import type { OwnMetrics } from './registry.js';

/** By metric why there is no score. */
export type Reasons = Record<string, string>;

/** The metrics of a run that apply to a question. */
export interface Applying {
  scorers: Scorer[];
  rubrics: Rubric[];
  /** Those of which that cannot be told. */
  unscored: Reasons;
}

/** @param names The metrics of the run. */
export function applyingTo(
  question: ScoredQuestion,
  names: readonly string[] = [],
  own: OwnMetrics,
): Applying {
  const applying: Applying = { scorers: [], rubrics: [], unscored: {} };
  for (const name of names) {
    const metric = own.get(name);
    if (!metric) {
      applying.unscored[name] = 'The worker that kept the answer has no such metric.';
      continue;
    }
    const applies = attempt(() => metric.applies?.(question) ?? true);
    if ('reason' in applies) applying.unscored[name] = `applies: ${applies.reason}`;
    else if (applies.value) place(metric, applying);
  }
  return applying;
}

function place(metric: OwnMetric, { scorers, rubrics }: Applying): void {
  if (isRubric(metric)) rubrics.push(metric);
  else scorers.push(metric);
}

export interface OwnScores {
  scores: Record<string, number>;
  unscored: Reasons;
}

/**
 * The scores of an answer in scorers that apply to its question. One that throws, or gives what is no
 * score, leaves the others alone.
 *
 * @param answered Null where there is no answer: 0 in each of them.
 */
export function scoreOwn(scorers: readonly Scorer[], answered: ScoredAnswer | null): OwnScores {
  const found: OwnScores = { scores: {}, unscored: {} };
  for (const scorer of scorers) {
    const scored = attempt(() => (answered ? scoreOf(scorer.score(answered)) : 0));
    if ('reason' in scored) found.unscored[scorer.name] = scored.reason;
    else if (scored.value !== undefined) found.scores[scorer.name] = scored.value;
  }
  return found;
}

function scoreOf(given: unknown): number | undefined {
  if (given === undefined || (typeof given === 'number' && given >= 0 && given <= 1)) return given;
  if (typeof given === 'boolean') return given ? 1 : 0;
  throw new RangeError(`gave ${shown(given)}, which is no score from 0 to 1`);
}

function shown(given: unknown): string {
  if (given instanceof Promise) return 'a promise';
  return typeof given === 'number' ? String(given) : `a value of type ${typeof given}`;
}

/** What stands in a store and in a history. */
const REASON_LENGTH = 300;

function attempt<T>(work: () => T): { value: T } | { reason: string } {
  try {
    return { value: work() };
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { reason: reason.slice(0, REASON_LENGTH) };
  }
}
