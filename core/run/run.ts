/** A run: its progress, its tallies and its settings. Pure. */
import type { Range } from '../metric.js';
import type { AskedTransport } from '../provider-batches.js';
import type { Outcome, QuestionFailure } from '../result.js';
import type { Usage } from '../usage.js';
import type { FailureCount } from './failure-counts.js';

/** The settings of a run that can be changed while it is running; null is no limit. */
export interface RunSettings {
  /** Questions under way at a time. */
  concurrency: number;
  /** Budget of the whole run, in US dollars. */
  budgetUsd: number | null;
  /** Model calls a minute on the workers' model queue, of all runs together. */
  requestsPerMinute: number | null;
  /** Tokens a minute of the same calls, prompts and completions together. */
  tokensPerMinute: number | null;
  /**
   * Failed questions in a row, from causes that waiting can heal, after which the run pauses; null
   * for never.
   */
  pauseAfter: number | null;
  /**
   * Questions that fail alike before any other has ended, after which the run pauses; null for
   * never.
   */
  pauseIfFirst: number | null;
  /** Seconds between two probe questions in such a pause. */
  probeSeconds: number;
}

/**
 * Why nothing new begins: a person paused, the budget is spent, the provider or a store is away, or
 * every call would fail.
 */
export interface Pause {
  /** "user", "budget", "outage", or a failure type such as "QuotaExhausted" or "Authentication". */
  reason: string;
  message: string;
  /** When it began, in milliseconds since 1970; absent until it is in force. */
  since?: number;
  /**
   * Time of the next probe question in an outage, in milliseconds since 1970. Once it has passed,
   * the question is being asked. Absent otherwise.
   */
  nextProbe?: number;
}

/** Known costs of questions, which show the expected cost of another one. */
export interface CostsSeen {
  /** US dollars; a cached call counts at its original cost. */
  usd: number;
  questions: number;
}

/** Sums of a metric from which its mean and its uncertainty follow, without the questions. */
export interface ScoreSum {
  questions: number;
  sum: number;
  sumOfSquares: number;
}

/** A custom metric, as a run records it. */
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
  /** It is told of every question that did not fail, whatever its answer. */
  chain?: true;
  /** See `range` of a metric of the chain. */
  range?: Range;
  /** Hash of the scoring code, or of the rubric's scale. */
  version: string;
}

/** A metric of what a method tells of its chain, as a run knows it. */
export type ToldMetric = Pick<RunMetric, 'name' | 'title' | 'range'>;

/** Answers without a score in a custom metric that applies to them. */
export interface Unscored {
  questions: number;
  /** The reason for one of them. */
  example: string;
}

/** Progress of a run: the answer to the query "progress", and the result of the workflow. */
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
  /** Outcomes of those done. */
  outcomes: Record<Outcome, number>;
  /** Usage of those done in this start; `costUsd` is null once a price is unknown. */
  usage: Usage;
  /** Usage of earlier starts, as far as their questions have been read; absent if none. */
  earlier?: Usage;
  /** Failures in this start, the most frequent first; absent if none. */
  failures?: FailureCount[];
  /**
   * Scores by metric, over all questions done that it applies to; those without an answer count 0.
   */
  scores: Record<string, ScoreSum>;
  /** Answers without a score, by custom metric; absent if none. */
  unscored?: Record<string, Unscored>;
  /** Answers by the build of the workflows that made them; absent if no build is known. */
  builds?: Record<string, number>;
  /** Custom metrics; absent if the run has none. */
  metrics?: RunMetric[];
  /** Judging in this start; absent without a judge. */
  judge?: JudgeProgress;
  /**
   * Expected cost of the questions under way, in US dollars: their pooled calls cannot be taken
   * back. Only in a run by batch with a budget, once a question has ended.
   */
  underWayUsd?: number;
  /** Only in a run with a budget or of a study. */
  costsSeen?: CostsSeen;
  /** When this start began, milliseconds since 1970. */
  startedAt: number;
}

/** The progress of judging in one start of a run. */
export interface JudgeProgress {
  /** Usage of the judge; not part of the questions' usage. */
  usage: Usage;
  /** Answers that could not be judged; they are missing in the judge's scores. */
  failed: number;
}

/** The summary that a question's workflow returns to its run; the result itself is in the store. */
export interface Tally {
  id: string;
  outcome: Outcome;
  /**
   * Scores from 0 to 1, by metric. A question without an answer has 0 in each metric that applies
   * to it.
   */
  scores: Record<string, number>;
  /** Reasons of the custom metrics that gave no score. */
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

/** The sums over the ended questions of a run, as they are kept without the questions. */
export interface KeptSums {
  done: number;
  outcomes: Record<Outcome, number>;
  scores: Record<string, ScoreSum>;
  unscored?: Record<string, Unscored>;
  /** Answers by the build of the workflows that made them; absent if no build is known. */
  builds?: Record<string, number>;
}

/** Detail of the failure that ends a run: whether its start was refused. */
export interface Unbegun {
  unbegun?: true;
}

/** A judge's findings about an answer, as scores, with the usage of judging. */
export interface Judged {
  /** Scores from 0 to 1, of the metrics that apply. */
  scores: Record<string, number>;
  /** Reasons for rubrics without a verdict. */
  unscored?: Record<string, string>;
  usage: Usage;
}

/** How a workflow of a run ended: a question's, or that of judging its answer. */
export interface Ending {
  /** Tally of the question's result or failure; absent if its workflow could not return one. */
  tally?: Tally;
  judged?: Judged;
  /** If there is neither: a step's failure type, "Terminated", "Cancelled" or "Timeout". */
  failure?: QuestionFailure;
  /** Set if a step of the workflow itself failed, such as recording the answer. */
  unrecorded?: true;
  /** Usage until then, of a failed judging or a workflow that was ended from outside. */
  usage?: Usage;
  /** Set if it was cancelled with its run; it is asked again when the run is started again. */
  stopped?: true;
}

/** Second argument of a question's workflow: what its run asks. */
export interface AskedBy {
  /**
   * The place in the store to record the result at and to read the question's passages from. If it
   * is set, the workflow returns a Tally.
   */
  record?: RecordRef;
  /** How its model calls go by batch; absent if they do not. */
  transport?: AskedTransport;
  /** About how many calls a question of the run makes, judging included; left out while unknown. */
  callsEach?: number;
}

/** The place in the store of a question of a run and of its result. */
export interface RecordRef {
  run: string;
  id: string;
  /** Its place in the store, from the page it was read from. */
  at: number;
  /**
   * Times that it is asked as another sample because its answer was unreadable; absent if never.
   */
  resample?: number;
}
