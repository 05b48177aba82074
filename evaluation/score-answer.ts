/** Which metrics apply to a question, and what an answer scores in them. Pure. */
import {
  isScorer,
  type JudgedMetric,
  type ScoredAnswer,
  type ScoredQuestion,
  type Scorer,
} from '../core/metric.js';
import type { Outcome } from '../core/result.js';
import type { Judge } from '../core/step-models.js';
import type { JudgeVerdicts } from '../stores/runs/run-store.js';
import { BUILT_IN } from './metrics/built-in.js';
import type { Metrics } from './metrics/registry.js';

/** By metric why there is no score. */
export type Reasons = Record<string, string>;

/** What decides beside a question which metrics apply to it. */
export interface ScoredRun {
  /** Its metrics of somebody's own. */
  metrics?: readonly string[] | undefined;
  /** The model that tells those that need a judge. */
  judge?: Judge | undefined;
  cites: boolean;
}

/** The metrics of a run that apply to a question; those that need a judge where the run has one. */
export interface Applying {
  scorers: Scorer[];
  judged: JudgedMetric[];
  /** Those of which that cannot be told. */
  unscored: Reasons;
}

export function applyingTo(question: ScoredQuestion, run: ScoredRun, known: Metrics): Applying {
  const applying: Applying = { scorers: [], judged: [], unscored: {} };
  for (const name of [...BUILT_IN.map(({ name }) => name), ...(run.metrics ?? [])]) {
    const metric = known.get(name);
    if (!metric) {
      applying.unscored[name] = 'The worker that kept the answer has no such metric.';
      continue;
    }
    if (metric.from === 'passages' || !hasWhatItNeeds(metric, question, run)) continue;
    const applies = attempt(() => metric.applies?.(question) ?? true);
    if ('reason' in applies) applying.unscored[name] = `applies: ${applies.reason}`;
    else if (!applies.value) continue;
    else if (isScorer(metric)) applying.scorers.push(metric);
    else applying.judged.push(metric);
  }
  return applying;
}

function hasWhatItNeeds(
  { from }: Scorer | JudgedMetric,
  { claims = [] }: ScoredQuestion,
  { judge, cites }: ScoredRun,
): boolean {
  if (from === undefined || from === 'answer') return true;
  const needed = { rubric: true, citations: cites, claims: claims.length > 0 };
  return judge !== undefined && needed[from];
}

export interface AnswerScores {
  /** From 0 to 1 by metric. */
  scores: Record<string, number>;
  unscored: Reasons;
}

/** How a question ended: with an answer, or how without. */
export type Ended = ScoredAnswer | Exclude<Outcome, 'answered'>;

/**
 * What a question scores in scorers that apply to it. One that throws, or gives what is no score,
 * leaves the others alone. What has no answer scores 0, but where that is right: see `unanswered`.
 */
export function scoreEnded(
  scorers: readonly Scorer[],
  question: ScoredQuestion,
  ended: Ended,
): AnswerScores {
  return scoresOf(scorers, (scorer) =>
    typeof ended === 'string' ? (scorer.unanswered?.(question, ended) ?? 0) : scorer.score(ended),
  );
}

/** What an answer scores by what the judge has said of it; what it was not asked has no score. */
export function scoreJudged(
  judged: readonly JudgedMetric[],
  { statements, claims, rubrics = [] }: JudgeVerdicts,
): AnswerScores {
  return scoresOf(judged, (metric) => {
    if (metric.from === 'citations') return statements ? metric.score(statements) : undefined;
    if (metric.from === 'claims') return claims ? metric.score(claims) : undefined;
    return rubrics.find((rubric) => rubric.metric === metric.name)?.score ?? undefined;
  });
}

function scoresOf<M extends { name: string }>(
  metrics: readonly M[],
  score: (metric: M) => unknown,
): AnswerScores {
  const found: AnswerScores = { scores: {}, unscored: {} };
  for (const metric of metrics) {
    const scored = attempt(() => checked(score(metric)));
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
