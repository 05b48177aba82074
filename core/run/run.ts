/** A run: where it stands, what a question adds to it, what it gives. Pure. */
import type { Range } from '../metric.js';
import type { AskedTransport } from '../provider-batches.js';
import type { Outcome, QuestionFailure } from '../result.js';
import type { Usage } from '../usage.js';
import type { FailureCount } from './failure-counts.js';

/** What a run may be told while it is under way; null lifts a limit. */
export interface RunSettings {
  /** Questions under way at a time. */
  concurrency: number;
  /** US dollars for the whole run. */
  budgetUsd: number | null;
  /** Model calls a minute on the workers' model queue, whichever run they belong to. */
  requestsPerMinute: number | null;
  /** Tokens a minute of the same calls, prompts and completions together. */
  tokensPerMinute: number | null;
  /** Questions in a row that fail by what a wait can heal, after which the run pauses; null: never. */
  pauseAfter: number | null;
  /** Questions that fail alike, before any other has ended, at which the run pauses; null: never. */
  pauseIfFirst: number | null;
  /** Between two questions that are asked in such a pause. */
  probeSeconds: number;
}

/**
 * Why nothing new is begun: somebody said so, the budget is spent, the provider or a store is away,
 * or what every call would meet.
 */
export interface Pause {
  /** "user", "budget", "outage", or a failure type such as "QuotaExhausted" or "Authentication". */
  reason: string;
  message: string;
  /** Milliseconds since 1970; said once it is in force. */
  since?: number;
  /**
   * Only in an outage: when one question is asked to see whether it is over, milliseconds since 1970.
   * Once that has passed it is being asked.
   */
  nextProbe?: number;
}

/** What questions have cost of which it is known: it shows what one more is expected to cost. */
export interface CostsSeen {
  /** US dollars; a call from the cache counts as what it had cost. */
  usd: number;
  questions: number;
}

/** Enough of a metric to give its mean and how sure it is, without the questions. */
export interface ScoreSum {
  questions: number;
  sum: number;
  sumOfSquares: number;
}

/** A metric of somebody's own, as a run knows it. */
export interface RunMetric {
  /** As scores name it. */
  name: string;
  title: string;
  /** One of the few that stand for the run: shown live, and what runs are compared by. */
  headline: boolean;
  /** Where it says so: how early it decides a question. */
  decides?: number | false;
  /** See `acrossForms` of a metric. */
  acrossForms?: string | false;
  /** It is told by the judge of the run; else by a scorer. */
  judged?: true;
  /** It is told of every question that did not fail, whatever its answer. */
  chain?: true;
  /** See `range` of a metric of the chain. */
  range?: Range;
  /** Hash of the code that scores, or of the scale that is read. */
  version: string;
}

/** A metric of what a method tells of its chain, as a run knows it. */
export type ToldMetric = Pick<RunMetric, 'name' | 'title' | 'range'>;

/** Answers without a score in a metric of somebody's own that applies to them. */
export interface Unscored {
  questions: number;
  /** Why, of one of them. */
  example: string;
}

/** Where a run stands: the answer to the query "progress", and the result of the workflow. */
export interface RunProgress {
  run: string;
  method: string;
  state: 'opening' | 'running' | 'paused' | 'finished';
  pause: Pause | null;
  settings: RunSettings;
  /** 0 until the data set has been read. */
  questions: number;
  /** Ended, now or in an earlier start of the run. */
  done: number;
  running: number;
  /** Of those done. */
  outcomes: Record<Outcome, number>;
  /** Of those done in this start; `costUsd` is null once a price is not known. */
  usage: Usage;
  /** What earlier starts took, as far as their questions have been read; left out where nothing. */
  earlier?: Usage;
  /** Of those that failed in this start, the most frequent first; left out where none did. */
  failures?: FailureCount[];
  /** By metric, over all questions done that the metric applies to: what is not answered counts 0. */
  scores: Record<string, ScoreSum>;
  /** By metric of somebody's own; only where there are such answers. */
  unscored?: Record<string, Unscored>;
  /** Of those done, by the build of the workflows that answered them; only where builds are known. */
  builds?: Record<string, number>;
  /** Metrics of somebody's own; only where the run has any. */
  metrics?: RunMetric[];
  /** Of this start; only where the run has a judge. */
  judge?: JudgeProgress;
  /**
   * What the questions under way are expected to cost: their pooled calls can no longer be taken
   * back. Only of a run by batch with a budget, once a question has ended.
   */
  underWayUsd?: number;
  /** Only of a run with a budget, or of a study. */
  costsSeen?: CostsSeen;
  /** When this start began, milliseconds since 1970. */
  startedAt: number;
}

export interface JudgeProgress {
  /** Not part of the usage of the questions. */
  usage: Usage;
  /** Answers that could not be judged; they are missing in the judge's scores. */
  failed: number;
}

/** What a question's workflow gives a run, in place of its result, which is in the store. */
export interface Tally {
  id: string;
  outcome: Outcome;
  /** 0 to 1 by metric; a question without an answer has 0 in each metric that applies to it. */
  scores: Record<string, number>;
  /** By metric of somebody's own that gave no score: why. */
  unscored?: Record<string, string>;
  usage: Usage;
  /** The build of the workflows that answered it, if known. */
  build?: string;
  failure?: QuestionFailure;
  /** There are citations, claims or rubrics for the judge of the run: `judgeAnswer` is to be started. */
  toJudge?: true;
}

/** How many questions have ended, how, and what they score. */
export interface KeptSums {
  done: number;
  outcomes: Record<Outcome, number>;
  scores: Record<string, ScoreSum>;
  unscored?: Record<string, Unscored>;
  /** Answers by the build of the workflows that gave them; only where builds are known. */
  builds?: Record<string, number>;
}

/** The detail of the failure that ends a run: whether its start was refused. */
export interface Unbegun {
  unbegun?: true;
}

/** What a judge found about an answer. */
export interface Judged {
  /** 0 to 1, by metric; those that apply. */
  scores: Record<string, number>;
  /** By rubric without a verdict: why. */
  unscored?: Record<string, string>;
  usage: Usage;
}

/** How a workflow of a run ended: a question's, or that of judging its answer. */
export interface Ending {
  /** Given by a question's workflow, in its result or its failure; missing where it could not. */
  tally?: Tally;
  judged?: Judged;
  /** Where there is neither: a step's failure type, "Terminated", "Cancelled" or "Timeout". */
  failure?: QuestionFailure;
  /** What failed is a step of the workflow's own, such as recording the answer. */
  unrecorded?: true;
  /** What it had taken by then: a judging that failed, or what was ended from outside. */
  usage?: Usage;
  /** It was cancelled with its run, and is asked anew when the run is started again. */
  stopped?: true;
}

/** What a run says to a question's workflow, as its second argument. */
export interface AskedBy {
  /**
   * Where the result is recorded; a Tally stands in its place. The passages that the question is
   * asked with are read from there as well.
   */
  record?: RecordRef;
  /** Where its model calls go by batch. */
  transport?: AskedTransport;
  /** About how many calls a question of the run makes, judging included; left out while unknown. */
  callsEach?: number;
}

/** Where a question of a run is kept, and its result is recorded. */
export interface RecordRef {
  run: string;
  id: string;
  /** Its place in the store, as the page it was read from says. */
  at: number;
  /** How often it is asked anew because its answer could not be read; left out if never. */
  resample?: number;
}
