/**
 * Types of a run's progress, settings and sums, and of the reports of its questions. Types only.
 */
import type { Range } from '../metric.js';
import type { QuestionTransport } from '../provider-batches.js';
import type { Outcome, QuestionFailure } from '../result.js';
import type { Usage } from '../usage.js';
import type { FailureCount } from './failure-counts.js';

/**
 * The settings of a run that can be changed while it is running: questions in flight, budget in US
 * dollars, rate limits per minute, and when it pauses; null means no limit, or never.
 */
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
   * Number of consecutive questions that fail because of an outage, at which the run pauses; null:
   * never.
   */
  pauseAfter: number | null;
  /**
   * Number of questions at which the run pauses if all questions until then failed in the same way;
   * null: never.
   */
  pauseIfFirst: number | null;
  /** Seconds between two questions that are tried during such a pause. */
  probeSeconds: number;
}

/**
 * A pause of a run: its reason, its start, and the time of the next probe question, both in
 * milliseconds since 1970. During a pause no questions start, except a probe from time to time if
 * the pause can end by itself.
 */
export interface Pause {
  /**
   * "user", "budget", "priceUnknown" (there is a budget), "notFree" (a model assumed to be free
   * costs something), "outage", or a failure type such as "QuotaExhausted" or "Authentication".
   */
  reason: string;
  message: string;
  /** Start of the pause, in milliseconds since 1970; absent until the run has paused. */
  since?: number;
  /**
   * Time of the next probe question, in milliseconds since 1970; a past time means that the
   * question is being asked. Absent if the pause cannot end by itself.
   */
  nextProbe?: number;
}

/**
 * The summed cost, in US dollars, of ended questions of known cost, judging included, and their
 * number, from which the cost of the next question is estimated.
 */
export interface CostsSeen {
  /** Sum in US dollars; a cached call counts at its original cost. */
  usd: number;
  /** Number of these questions. */
  questions: number;
}

/**
 * The number, the sum and the sum of squares of a metric's scores over questions, from which the
 * mean and standard error follow.
 */
export interface ScoreSum {
  questions: number;
  sum: number;
  sumOfSquares: number;
}

/**
 * The declaration of a custom metric as a run stores it: its name and title, its kind and range,
 * and a hash of its scoring code.
 */
export interface RunMetric {
  /** Name in scores. */
  name: string;
  title: string;
  /** Whether it represents the run: shown live, and used to compare runs. */
  headline: boolean;
  /** See `decides` in `Scorer`. */
  decides?: number | false;
  /** See `acrossForms` in `Scorer`. */
  acrossForms?: string | false;
  /** Set if the judge of the run decides it. */
  judged?: true;
  /**
   * Set if it is a metric of the chain, so that it has a value for every question that did not
   * fail.
   */
  chain?: true;
  /** Range of its values. @default from 0 to 1 */
  range?: Range;
  /** Hash of the scoring code, or of the rubric's scale. */
  version: string;
}

/** The name, title and range of values of a metric of the method's chain, as a run stores them. */
export type ChainMetricInfo = Pick<RunMetric, 'name' | 'title' | 'range'>;

/**
 * The number of answers that a custom metric applies to but gave no score, with the reason for the
 * first of them.
 */
export interface UnscoredAnswers {
  /** Number of these answers. */
  questions: number;
  /** Reason for the first of them. */
  example: string;
}

/**
 * The progress of a run: its state and settings, counts of questions and outcomes, usage (model
 * calls, tokens and US dollars), and sums of scores. It is the answer to the query "progress", and
 * the result of the run's workflow.
 */
export interface RunProgress {
  run: string;
  method: string;
  state: 'opening' | 'running' | 'paused' | 'finished';
  /** The pause; null if the run is not paused. */
  pause: Pause | null;
  settings: RunSettings;
  /** Number of its questions; 0 until the data set has been read. */
  questions: number;
  /** Number of questions that have ended, in this start of the run or an earlier one. */
  done: number;
  /** Number of questions in flight. */
  running: number;
  /** Number of ended questions by outcome. */
  outcomes: Record<Outcome, number>;
  /** Usage of the questions that ended in this start; `costUsd` is null if a price is unknown. */
  usage: Usage;
  /**
   * Usage in earlier starts, of the questions that have been read again so far; absent if there is
   * none.
   */
  earlier?: Usage;
  /** Failures in this start, the most frequent first; absent if none. */
  failures?: FailureCount[];
  /**
   * Sums of scores by metric, over all ended questions to which it applies. Questions without an
   * answer count 0.
   */
  scores: Record<string, ScoreSum>;
  /** Number of answers without a score, by custom metric; absent if there are none. */
  unscored?: Record<string, UnscoredAnswers>;
  /**
   * Number of answers by the build of the workflows that made them; absent if no build is known.
   */
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

/**
 * The judge's model calls, tokens and cost in US dollars in one start of a run, and the number of
 * answers that could not be judged.
 */
export interface JudgeProgress {
  /** Usage of the judge's calls, which is not part of the questions' usage. */
  usage: Usage;
  /** Number of answers that could not be judged; they are missing in the judge's scores. */
  failed: number;
}

/**
 * The outcome, scores by metric, usage (model calls, tokens and US dollars) and failure of an
 * ended question, which its workflow returns to its run; the full result is in the store.
 */
export interface Tally {
  id: string;
  outcome: Outcome;
  /**
   * Scores from 0 to 1, by metric. A question without an answer has 0 in each metric that applies
   * to it.
   */
  scores: Record<string, number>;
  /** Reasons why custom metrics gave no score, by metric; absent if there are none. */
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

/**
 * The number of ended questions of a run, in total and by outcome, and the sums of their scores by
 * metric.
 */
export interface RunSums {
  /** Number of ended questions. */
  done: number;
  /** Number of ended questions by outcome. */
  outcomes: Record<Outcome, number>;
  /** Sums of scores by metric. */
  scores: Record<string, ScoreSum>;
  /** Number of answers without a score, by custom metric; absent if there are none. */
  unscored?: Record<string, UnscoredAnswers>;
  /**
   * Number of answers by the build of the workflows that made them; absent if no build is known.
   */
  builds?: Record<string, number>;
}

/**
 * The details of the failure with which a run's workflow ends: whether its start was refused
 * before any question was asked. A scheduled start has none, so that its failure stays visible.
 */
export interface StartRefusal {
  /** Set if the start was refused before any question was asked, unless a schedule made it. */
  unbegun?: true;
}

/**
 * The scores from 0 to 1 that the judge gave an answer, by metric, with the usage (calls, tokens
 * and US dollars) of its calls, and the reasons for missing scores.
 */
export interface JudgeScores {
  /** Scores from 0 to 1 by metric, for the judged metrics that apply to the answer. */
  scores: Record<string, number>;
  /** Reasons why rubrics gave no verdict, by metric; absent if there are none. */
  unscored?: Record<string, string>;
  usage: Usage;
}

/**
 * The end of a child workflow of a run that asked a question or judged its answer, as optional
 * fields: the tally or the scores that it returned, or else its failure, with its usage, and
 * whether it was stopped with its run.
 */
export interface WorkflowEnding {
  /** Tally of the question's result or failure; absent if its workflow could not return one. */
  tally?: Tally;
  /** Scores that a judging workflow returned. */
  judged?: JudgeScores;
  /**
   * The failure, if it returned nothing: its type is that of a step's failure, "Terminated",
   * "Cancelled" or "Timeout".
   */
  failure?: QuestionFailure;
  /** Set if an activity of the workflow itself failed, such as recording the answer. */
  unrecorded?: true;
  /** Usage until the end, if judging failed or the workflow was ended from outside. */
  usage?: Usage;
  /**
   * Set if it was cancelled with its run; its question is asked again at the next start of the run.
   */
  stopped?: true;
}

/**
 * The second argument of a question's workflow, which a run passes: where the result is recorded,
 * the batch settings, and the estimated number of calls.
 */
export interface RunContext {
  /**
   * Location of the question's passages and result in the store. If it is set, the workflow returns
   * a `Tally`.
   */
  record?: RecordRef;
  /** Batch settings of its model calls; absent if they do not go by batch. */
  transport?: QuestionTransport;
  /** Estimated number of model calls of a question, judging included; absent while unknown. */
  callsEach?: number;
}

/**
 * The location of a question of a run in the store: the run, the question's id and its position.
 * Its passages are read from there, and its result is written there.
 */
export interface RecordRef {
  /** Name of the run. */
  run: string;
  /** Id of the question. */
  id: string;
  /** Position of the question in its data set, from 0. */
  at: number;
  /**
   * Number of the further sample that is asked because the first answer was unreadable, from 1;
   * absent for the first.
   */
  resample?: number;
}
