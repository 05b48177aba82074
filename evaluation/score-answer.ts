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

/** The reasons why an answer has no score in some metrics, by name of the metric. */
export type UnscoredReasons = Record<string, string>;

/** The properties of a run that decide which metrics apply. */
interface ScoredRun {
  /** Names of its custom metrics. */
  metrics?: readonly string[] | undefined;
  /** The judge; undefined without one. */
  judge?: Judge | undefined;
  /** Whether the method's answers cite passages. */
  cites: boolean;
  /** Metrics of the chain that its method declares. */
  chainMetrics?: readonly ChainMetric[] | undefined;
}

/**
 * The metrics of a run that apply to one question, in three lists by the way in which they are
 * scored, without those of passages; and reasons for those of which it is unknown.
 */
export interface ApplicableMetrics {
  scorers: Scorer[];
  judged: JudgedMetric[];
  chain: ChainMetric[];
  /** Reasons for metrics of which it is unknown whether they apply. */
  unscored: UnscoredReasons;
}

/**
 * Returns the metrics of a run that apply to a question, in lists of scorers, judged metrics and
 * chain metrics: built-in ones, the run's custom ones, and those of its method's chain. Metrics of
 * passages are not included. Judged metrics apply only if the run has a judge; those of citations
 * only if the method cites, those of claims only if the question has some. A metric whose
 * `applies` throws, or that this worker does not have, is in `unscored`.
 */
export function applicableMetrics(
  question: ScoredQuestion,
  run: ScoredRun,
  known: Metrics,
): ApplicableMetrics {
  const applying: ApplicableMetrics = { scorers: [], judged: [], chain: [], unscored: {} };
  const ofMethod = new Map((run.chainMetrics ?? []).map((metric) => [metric.name, metric]));
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

/** The scores of an answer, and the reasons why some are missing. */
interface AnswerScores {
  /** Scores from 0 to 1, by name of the metric. */
  scores: Record<string, number>;
  unscored: UnscoredReasons;
}

/**
 * An answer to be scored, as an object; for a question without an answer, its outcome as a string,
 * such as "failed".
 */
export type AnswerOrOutcome = ScoredAnswer | Exclude<Outcome, 'answered'>;

/**
 * Returns an object: `scores` of an ended question from 0 to 1, by metric; and `unscored`, by
 * metric, the reason for each scorer that threw or returned an invalid score, which does not
 * affect the others. A scorer that returns undefined does not apply and is in neither. A question
 * without an answer scores 0, unless the scorer's `unanswered` returns another score.
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

/**
 * The value, for one question, of a metric that describes its chain: a number in the metric's own
 * unit, or a numerator and denominator (`part`, `whole`).
 */
export type ChainValue = number | RatioPart;

/** The values of chain metrics for one question, and the reasons why some are missing. */
interface ChainScores {
  /**
   * Values by name of the metric. With a range, a value is in the range's unit and not a fraction
   * of it.
   */
  values: Record<string, ChainValue>;
  unscored: UnscoredReasons;
}

/**
 * Returns the values of chain metrics for one question, by metric (`values`). A metric that throws
 * or returns an invalid value has a reason in `unscored` and does not affect the others; one that
 * returns undefined is in neither.
 */
export function chainValues(metrics: readonly ChainMetric[], ended: EndedQuestion): ChainScores {
  const { scores: values, unscored } = scoresOf(metrics, (metric) =>
    checkedValue(metric.value(ended), metric),
  );
  return { values, unscored };
}

/**
 * Returns the scores of an answer by metric, from 0 to 1, as they follow from the judge's verdicts
 * (`scores`). Metrics without a verdict have no score. One that throws or returns an invalid score
 * has a reason in `unscored`.
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

/** Maximum number of characters of a reason, since stores and histories contain it. */
const REASON_LENGTH = 300;

function attempt<T>(work: () => T): { value: T } | { reason: string } {
  try {
    return { value: work() };
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { reason: reason.slice(0, REASON_LENGTH) };
  }
}
