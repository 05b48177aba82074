/** Selects the metrics that apply to a question, and computes the scores of an answer. Pure. */
import {
  type ChainMetric,
  type EndedQuestion,
  isScorer,
  type JudgedMetric,
  type RatioPart,
  type ScoredAnswer,
  type ScoredQuestion,
  type Scorer,
} from '../core/metric.js';
import type { Outcome } from '../core/result.js';
import type { Judge } from '../core/step-models.js';
import type { JudgeVerdicts } from '../stores/runs/run-store.js';
import { BUILT_IN } from './metrics/built-in.js';
import type { Metrics } from './metrics/registry.js';

/** Why an answer has no score in a metric that applies to it, by metric. */
export type Reasons = Record<string, string>;

/** The part of a run that decides, with a question, which metrics apply. */
interface ScoredRun {
  /** Names of its custom metrics. */
  metrics?: readonly string[] | undefined;
  /** The judge; undefined without one. */
  judge?: Judge | undefined;
  cites: boolean;
  /** What its method tells of its chain. */
  told?: readonly ChainMetric[] | undefined;
}

/** The metrics of a run that apply to a question; judged ones only if the run has a judge. */
export interface Applying {
  scorers: Scorer[];
  judged: JudgedMetric[];
  chain: ChainMetric[];
  /** Metrics for which this could not be determined, with the reason. */
  unscored: Reasons;
}

export function applyingTo(question: ScoredQuestion, run: ScoredRun, known: Metrics): Applying {
  const applying: Applying = { scorers: [], judged: [], chain: [], unscored: {} };
  const ofMethod = new Map((run.told ?? []).map((metric) => [metric.name, metric]));
  const names = [...BUILT_IN.map(({ name }) => name), ...(run.metrics ?? []), ...ofMethod.keys()];
  for (const name of names) {
    const metric = ofMethod.get(name) ?? known.get(name);
    if (!metric) {
      applying.unscored[name] = 'The worker that kept the answer has no such metric.';
      continue;
    }
    if (metric.from === 'passages' || !hasWhatItNeeds(metric, question, run)) continue;
    const applies = attempt(() => metric.applies?.(question) ?? true);
    if ('reason' in applies) applying.unscored[name] = `applies: ${applies.reason}`;
    else if (!applies.value) continue;
    else if (isScorer(metric)) applying.scorers.push(metric);
    else if (metric.from === 'chain') applying.chain.push(metric);
    else applying.judged.push(metric);
  }
  return applying;
}

function hasWhatItNeeds(
  { from }: Scorer | JudgedMetric | ChainMetric,
  { claims = [] }: ScoredQuestion,
  { judge, cites }: ScoredRun,
): boolean {
  if (from === undefined || from === 'answer' || from === 'chain') return true;
  const needed = { rubric: true, citations: cites, claims: claims.length > 0 };
  return judge !== undefined && needed[from];
}

/** The scores of an answer, and the reasons for missing ones. */
interface AnswerScores {
  /** Scores from 0 to 1, by metric. */
  scores: Record<string, number>;
  unscored: Reasons;
}

/** How a question ended: with an answer, or with another outcome. */
export type Ended = ScoredAnswer | Exclude<Outcome, 'answered'>;

/**
 * Returns the scores of a question in the scorers that apply to it. A scorer that throws, or
 * returns no valid score, does not affect others. A question without an answer scores 0, unless
 * that is right: see `unanswered`.
 */
export function scoreEnded(
  scorers: readonly Scorer[],
  question: ScoredQuestion,
  ended: Ended,
): AnswerScores {
  return scoresOf(scorers, (scorer) =>
    checked(
      typeof ended === 'string' ? (scorer.unanswered?.(question, ended) ?? 0) : scorer.score(ended),
    ),
  );
}

/** A value of a metric of the chain, or a part of a whole. */
export type ToldValue = number | RatioPart;

/** What is told of a question by metrics of the chain. */
export interface Told {
  /** Values by metric, in its own unit: for a metric with a range, not the share of the range. */
  values: Record<string, ToldValue>;
  unscored: Reasons;
}

/** Returns what metrics of the chain say of a question; one that throws leaves the others alone. */
export function tellChain(metrics: readonly ChainMetric[], ended: EndedQuestion): Told {
  const { scores: values, unscored } = scoresOf(metrics, (metric) =>
    checkedValue(metric.value(ended), metric),
  );
  return { values, unscored };
}

/**
 * Returns the scores of an answer by the judge's verdicts; metrics that the judge was not asked
 * about have none.
 */
export function scoreJudged(
  judged: readonly JudgedMetric[],
  { statements, claims, rubrics = [] }: JudgeVerdicts,
): AnswerScores {
  return scoresOf(judged, (metric) => {
    if (metric.from === 'citations')
      return statements ? checked(metric.score(statements)) : undefined;
    if (metric.from === 'claims') return claims ? checked(metric.score(claims)) : undefined;
    return checked(rubrics.find((rubric) => rubric.metric === metric.name)?.score ?? undefined);
  });
}

function scoresOf<M extends { name: string }, S>(
  metrics: readonly M[],
  score: (metric: M) => S | undefined,
): { scores: Record<string, S>; unscored: Reasons } {
  const found: { scores: Record<string, S>; unscored: Reasons } = { scores: {}, unscored: {} };
  for (const metric of metrics) {
    const scored = attempt(() => score(metric));
    if ('reason' in scored) found.unscored[metric.name] = scored.reason;
    else if (scored.value !== undefined) found.scores[metric.name] = scored.value;
  }
  return found;
}

function checked(given: unknown): number | undefined {
  if (given === undefined || (typeof given === 'number' && given >= 0 && given <= 1)) return given;
  if (typeof given === 'boolean') return given ? 1 : 0;
  throw new RangeError(`gave ${shown(given)}, which is no score from 0 to 1`);
}

function checkedValue(given: unknown, { range }: ChainMetric): ToldValue | undefined {
  const { part, whole } = Object(given) as Partial<RatioPart>;
  if (typeof part === 'number' && typeof whole === 'number') {
    if (part >= 0 && part <= whole && whole > 0) return { part, whole };
    throw new RangeError(`gave ${part} of ${whole}, which is no part of a whole`);
  }
  if (!range) return checked(given);
  const { from, to } = range;
  if (given === undefined || (typeof given === 'number' && given >= from && given <= to)) {
    return given;
  }
  throw new RangeError(`gave ${shown(given)}, which is not from ${from} to ${to}`);
}

function shown(given: unknown): string {
  if (given instanceof Promise) return 'a promise';
  return typeof given === 'number' ? String(given) : `a value of type ${typeof given}`;
}

/** Most characters of a reason, since stores and histories contain it. */
const REASON_LENGTH = 300;

function attempt<T>(work: () => T): { value: T } | { reason: string } {
  try {
    return { value: work() };
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { reason: reason.slice(0, REASON_LENGTH) };
  }
}
