/** Types of the cells, decisions, progress and settings of a study. Types only. */
import type { UntilDecided } from './until-decided.js';

/**
 * A cell of a study: one method on one data set with one model, by their labels in tables, and the
 * names of its runs.
 */
export interface StudyCell {
  method: string;
  dataset: string;
  model: string;
  /** Names of the cell's runs, one for each repeat, in order. */
  runs: string[];
}

/**
 * The cells of a study (see `StudyCell`), with the fields of its definition that a comparison of
 * their results needs: baseline, metrics, clusters and stopping rule.
 */
export interface StudyCells {
  name: string;
  /** Label of the method that the others are compared with. */
  baseline?: string | undefined;
  /** Names of the compared metrics. @default the main metric of each data set */
  metrics?: readonly string[] | undefined;
  /**
   * Field whose value assigns questions to clusters, for cluster-robust statistics. @default each
   * question on its own
   */
  cluster?: string | undefined;
  cells: readonly (Omit<StudyCell, 'runs'> & { runs: readonly string[] })[];
  /** Stopping rule; undefined if all questions are asked. */
  untilDecided?: Partial<UntilDecided> | undefined;
  /**
   * Number of comparisons for which significance is corrected, including those of missing cells.
   */
  comparisons?: number | undefined;
}

/**
 * A gate: the stored run that the only cell of a study is compared with, the margin (a score from
 * 0 to 1) by which it may at most be worse, and the probability of a wrong result.
 */
export interface StudyGate {
  /** Name of a stored run of the same questions. */
  run: string;
  /** Largest acceptable loss of the score, from 0 to 1. */
  margin: number;
  /** Probability of a wrong PASS or FAIL. */
  alpha: number;
  /** @default 'questionsLikeThese' */
  about?: UntilDecided['about'];
}

/**
 * The state of one comparison or gate of a study after a round: its verdict, the mean difference
 * of scores so far (from -1 to 1), and the number of questions that count.
 */
export interface StudyDecision {
  method: string;
  dataset: string;
  model: string;
  /** Label of the compared method or run. */
  against: string;
  /** Title of the metric. */
  metric: string;
  verdict:
    | ('better' | 'worse' | 'alike' | 'cannot' | 'undecided')
    | ('PASS' | 'FAIL' | 'UNDECIDED');
  /** Number of questions that count so far. */
  asked: number;
  /** Number of all questions. */
  questions: number;
  /** Number of questions after which it was decided; absent if it is not. */
  decidedAt?: number;
  /**
   * Mean difference of scores (from -1 to 1) so far, with a confidence band that is valid at every
   * check.
   */
  difference: { mean: number; low: number; high: number };
  /** The state as a sentence for people. */
  summary: string;
}

/**
 * The verdicts on all comparisons of a study after a round, and the names of the runs that need no
 * more questions.
 */
export interface StudyDecisions {
  decisions: StudyDecision[];
  /** Names of the runs that need no more questions, because all their comparisons are decided. */
  over: string[];
}

/** The progress of one run of a study: its state, and counts of rounds and questions. */
export interface StudyRunProgress {
  run: string;
  /** State; `decided` means that its remaining questions need not be asked. */
  state: 'waiting' | 'running' | 'finished' | 'decided' | 'failed';
  /** Number of ended rounds. */
  rounds: number;
  /** Number of its questions; 0 until it has been asked. */
  questions: number;
  /** Number of its ended questions. */
  done: number;
  /** Number of its failed questions. */
  failed: number;
  /** Message of the failure that ended it; absent if there is none. */
  failure?: string;
}

/**
 * The progress of a study: its state, its cost and budget in US dollars, the progress of its runs,
 * and the decisions. It is the answer to the query "progress", and the result of the study's
 * workflow.
 */
export interface StudyProgress {
  study: string;
  state: 'running' | 'paused' | 'finished';
  /** The stage of a tune; absent for a study that is not a tune. */
  stage?: 'search' | 'confirmation';
  /** The reason why it starts no more rounds; null if it is not paused. */
  pause: { reason: string; message: string; run?: string } | null;
  /** Budget of all its runs together, in US dollars; null means no limit. */
  budgetUsd: number | null;
  /** Cost since this start, in US dollars; null if a price is unknown. */
  spentUsd: number | null;
  runs: StudyRunProgress[];
  /** Decisions after the last round; only in a study that stops once decided. */
  decisions?: StudyDecision[];
}

/** The settings of a study that can be changed while it is running: its budget in US dollars. */
export interface StudySettings {
  /** Budget of all its runs together, in US dollars; null means no limit. */
  budgetUsd: number | null;
}
