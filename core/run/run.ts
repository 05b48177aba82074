/**
 * Types of a run's progress, settings and sums, and of what its questions report to it. Types only.
 */
import type { Range } from '../metric.js';
import type { QuestionTransport } from '../provider-batches.js';
import type { Outcome, QuestionFailure } from '../result.js';
import type { Usage } from '../usage.js';
import type { FailureCount } from './failure-counts.js';

/** The settings of a run that can be changed while it is running; null is no limit. */
export interface RunSettings {
  /** Maximum number of questions in flight. */
  concurrency: number;
  /** Budget of the whole run, in US dollars. */
  budgetUsd: number | null;
  /** Maximum number of model calls per minute of all runs together. */
  requestsPerMinute: number | null;
  /** Maximum number of tokens per minute of all runs together, prompts and completions. */
  tokensPerMinute: number | null;
  /**
   * Number of questions in a row that fail because of an outage, at which the run pauses; null:
   * never.
   */
  pauseAfter: number | null;
  /**
   * Number of first questions that all fail in the same way, at which the run pauses; null: never.
   */
  pauseIfFirst: number | null;
  /** Seconds between two probe questions in such a pause. */
  probeSeconds: number;
}

/**
 * A pause of a run, in which it starts no questions: a person paused it, the budget is spent, the
 * provider or a store is unavailable, or every call would fail.
 */
export interface Pause {
  /** "user", "budget", "outage", or a failure type such as "QuotaExhausted" or "Authentication". */
  reason: string;
  message: string;
  /** Start of the pause, in milliseconds since 1970; absent until it is in force. */
  since?: number;
  /**
   * Time of the next probe question in an outage, in milliseconds since 1970. Once it has passed,
   * the question is being asked. Absent otherwise.
   */
  nextProbe?: number;
}

/**
 * The summed cost of ended questions, and their number, from which the next question's cost is
 * estimated.
 */
export interface CostsSeen {
  /** US dollars; a cached call counts at its original cost. */
  usd: number;
  questions: number;
}

/** The sums of a metric over questions, from which its mean and standard error follow. */
export interface ScoreSum {
  questions: number;
  sum: number;
  sumOfSquares: number;
}

/** The declaration of a custom metric as a run stores it. */
export interface RunMetric {
  /** Its name in scores. */
  name: string;
  title: string;
  /** Whether it represents the run: shown live, and used to compare runs. */
  headline: boolean;
  /** See `decides` of a metric. */
  decides?: number | false;
  /** See `acrossForms` of a metric. */
  acrossForms?: string | false;
  /** Set if the judge of the run decides it; otherwise a scorer does. */
  judged?: true;
  /**
   * Set if it is a metric of the chain, so that it has a value for every question that did not
   * fail.
   */
  chain?: true;
  /** See `range` of a metric of the chain. */
  range?: Range;
  /** Hash of the scoring code, or of the rubric's scale. */
  version: string;
}

/** A metric of a method's chain, as a run stores it: name, title and range of values. */
export type ChainMetricInfo = Pick<RunMetric, 'name' | 'title' | 'range'>;

/** The number of answers without a score in a custom metric that applies to them, with a reason. */
export interface UnscoredAnswers {
  questions: number;
  /** Reason for the first of them. */
  example: string;
}

/** The progress of a run: the answer to the query "progress", and the result of its workflow. */
export interface RunProgress {
  run: string;
  method: string;
  state: 'opening' | 'running' | 'paused' | 'finished';
  pause: Pause | null;
  settings: RunSettings;
  /** 0 until the data set has been read. */
  questions: number;
  /** Questions that have ended, in this start of the run or an earlier one. */
  done: number;
  running: number;
  /** Number of ended questions by outcome. */
  outcomes: Record<Outcome, number>;
  /** Usage of the questions that ended in this start; `costUsd` is null once a price is unknown. */
  usage: Usage;
  /** Usage of earlier starts, as far as their questions have been read; absent if none. */
  earlier?: Usage;
  /** Failures in this start, the most frequent first; absent if none. */
  failures?: FailureCount[];
  /**
   * Sums of scores by metric, over all ended questions that it applies to. Questions without an
   * answer count 0.
   */
  scores: Record<string, ScoreSum>;
  /** Answers without a score, by custom metric; absent if none. */
  unscored?: Record<string, UnscoredAnswers>;
  /** Answers by the build of the workflows that made them; absent if no build is known. */
  builds?: Record<string, number>;
  /** Custom metrics; absent if the run has none. */
  metrics?: RunMetric[];
  /** Judging in this start; absent without a judge. */
  judge?: JudgeProgress;
  /**
   * Expected cost of the questions in flight, in US dollars, whose batched calls cannot be
   * withdrawn. Only in a run by batch with a budget, once a question has ended.
   */
  underWayUsd?: number;
  /** Observed costs of questions; only in a run with a budget or of a study. */
  costsSeen?: CostsSeen;
  /** Beginning of this start, in milliseconds since 1970. */
  startedAt: number;
}

/** The progress of judging in one start of a run. */
export interface JudgeProgress {
  /** Usage of the judge; not part of the questions' usage. */
  usage: Usage;
  /** Answers that could not be judged; they are missing in the judge's scores. */
  failed: number;
}

/**
 * The summary of a question that its workflow returns to its run; the full result is in the store.
 */
export interface Tally {
  id: string;
  outcome: Outcome;
  /**
   * Scores from 0 to 1, by metric. A question without an answer has 0 in each metric that applies
   * to it.
   */
  scores: Record<string, number>;
  /** Reasons why custom metrics gave no score, by metric. */
  unscored?: Record<string, string>;
  usage: Usage;
  /** The build of the workflows that answered it, if known. */
  build?: string;
  failure?: QuestionFailure;
  /**
   * Set if the judge of the run has citations, claims or rubrics to judge, so that `judgeAnswer`
   * must start.
   */
  toJudge?: true;
}

/** Counts and sums over the ended questions of a run: outcomes, scores and builds. */
export interface RunSums {
  done: number;
  outcomes: Record<Outcome, number>;
  scores: Record<string, ScoreSum>;
  unscored?: Record<string, UnscoredAnswers>;
  /** Answers by the build of the workflows that made them; absent if no build is known. */
  builds?: Record<string, number>;
}

/** Detail of the failure that ends a run's workflow. */
export interface StartRefusal {
  /** Set if the start was refused before anything was asked. */
  unbegun?: true;
}

/** The scores that a judge model gave an answer, with the usage of judging. */
export interface JudgeScores {
  /** Scores from 0 to 1, of the metrics that apply. */
  scores: Record<string, number>;
  /** Reasons for rubrics without a verdict. */
  unscored?: Record<string, string>;
  usage: Usage;
}

/** How a child workflow of a run ended: one that asks a question, or one that judges its answer. */
export interface WorkflowEnding {
  /** Tally of the question's result or failure; absent if its workflow could not return one. */
  tally?: Tally;
  judged?: JudgeScores;
  /**
   * The failure, if there is neither: a step's failure type, "Terminated", "Cancelled" or
   * "Timeout".
   */
  failure?: QuestionFailure;
  /** Set if a step of the workflow itself failed, such as recording the answer. */
  unrecorded?: true;
  /** Usage before the end, of a failed judging or a workflow that was ended from outside. */
  usage?: Usage;
  /** Set if it was cancelled with its run; it is asked again when the run is started again. */
  stopped?: true;
}

/**
 * Second argument of a question's workflow, if a run started it: where to record, and how to call
 * models.
 */
export interface RunContext {
  /**
   * Location in the store of the question's passages and of its result. If it is set, the workflow
   * returns a Tally.
   */
  record?: RecordRef;
  /** Batch settings of its model calls; absent if they do not go by batch. */
  transport?: QuestionTransport;
  /** Estimated number of model calls of a question, judging included; absent while unknown. */
  callsEach?: number;
}

/**
 * A reference to a question of a run in the store, by which its passages are read and its result is
 * written.
 */
export interface RecordRef {
  run: string;
  /** Id of the question. */
  id: string;
  /** Position of the question in its data set, from 0. */
  at: number;
  /**
   * Number of the further sample that is asked because answers were unreadable; absent for the
   * first.
   */
  resample?: number;
}
