/** Selects the metrics that apply to a question, and scores its answer. Pure. */
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

/** Reasons why an answer has no score, by name of the metric. */
export type UnscoredReasons = Record<string, string>;

/** The properties of a run that decide which metrics apply. */
interface ScoredRun {
  /** Names of its custom metrics. */
  metrics?: readonly string[] | undefined;
  /** The judge; undefined without one. */
  judge?: Judge | undefined;
  cites: boolean;
  /** Metrics of its method's chain. */
  told?: readonly ChainMetric[] | undefined;
}

/** The metrics of a run that apply to a question. Judged ones need a judge. */
export interface ApplicableMetrics {
  scorers: Scorer[];
  judged: JudgedMetric[];
  chain: ChainMetric[];
  /** Metrics for which this could not be determined, with the reasons. */
  unscored: UnscoredReasons;
}

/** Returns the metrics of a run that apply to a question, by the way in which they are scored. */
export function applicableMetrics(
  question: ScoredQuestion,
  run: ScoredRun,
  known: Metrics,
): ApplicableMetrics {
  const applying: ApplicableMetrics = { scorers: [], judged: [], chain: [], unscored: {} };
  const ofMethod = new Map((run.told ?? []).map((metric) => [metric.name, metric]));
  const names = [...BUILT_IN.map(({ name }) => name), ...(run.metrics ?? []), ...ofMethod.keys()];
  for (const name of names) {
    const metric = ofMethod.get(name) ?? known.get(name);
    if (!metric) {
      applying.unscored[name] = 'The worker that recorded the answer has no such metric.';
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

/** Scores of an answer, and the reasons for missing ones. */
interface AnswerScores {
  /** Scores from 0 to 1, by metric. */
  scores: Record<string, number>;
  unscored: UnscoredReasons;
}

/** The answer of a question, or the outcome if there is none. */
export type AnswerOrOutcome = ScoredAnswer | Exclude<Outcome, 'answered'>;

/**
 * Returns the scores of an ended question in the given scorers. A scorer that throws, or returns no
 * valid score, does not affect the others. A question without an answer scores 0, unless the metric
 * says otherwise: see `unanswered`.
 */
export function scoreEnded(
  scorers: readonly Scorer[],
  question: ScoredQuestion,
  ended: AnswerOrOutcome,
): AnswerScores {
  return scoresOf(scorers, (scorer) =>
    checked(
      typeof ended === 'string' ? (scorer.unanswered?.(question, ended) ?? 0) : scorer.score(ended),
    ),
  );
}

/** Value of a chain metric, in its own unit, or a part of a whole. */
export type ChainValue = number | RatioPart;

/** The values of chain metrics for a question, and the reasons for missing ones. */
interface ChainScores {
  /** Values by metric, each in its own unit: for a metric with a range, not a fraction of the range. */
  values: Record<string, ChainValue>;
  unscored: UnscoredReasons;
}

/**
 * Returns the values of chain metrics for a question. A metric that throws does not affect the
 * others.
 */
export function chainValues(metrics: readonly ChainMetric[], ended: EndedQuestion): ChainScores {
  const { scores: values, unscored } = scoresOf(metrics, (metric) =>
    checkedValue(metric.value(ended), metric),
  );
  return { values, unscored };
}

/**
 * Returns the scores of an answer by the judge's verdicts. Metrics without a verdict have no score.
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
): { scores: Record<string, S>; unscored: UnscoredReasons } {
  const found: { scores: Record<string, S>; unscored: UnscoredReasons } = {
    scores: {},
    unscored: {},
  };
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
  throw new RangeError(`returned ${shown(given)}, which is not a score from 0 to 1`);
}

function checkedValue(given: unknown, { range }: ChainMetric): ChainValue | undefined {
  const { part, whole } = Object(given) as Partial<RatioPart>;
  if (typeof part === 'number' && typeof whole === 'number') {
    if (part >= 0 && part <= whole && whole > 0) return { part, whole };
    throw new RangeError(`returned ${part} of ${whole}, which is not a part of a whole`);
  }
  if (!range) return checked(given);
  const { from, to } = range;
  if (given === undefined || (typeof given === 'number' && given >= from && given <= to)) {
    return given;
  }
  throw new RangeError(`returned ${shown(given)}, which is not from ${from} to ${to}`);
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
