/** A run's place in a study, and the study's progress. Types only. */
import type { UntilDecided } from './until-decided.js';

/** A cell of a study, by the labels shown in tables. */
export interface StudyCell {
  method: string;
  dataset: string;
  model: string;
  /** Runs of the cell, one for each repeat, in order. */
  runs: string[];
}

/** The part of a study's record that is needed to read its results. */
export interface StudyCells {
  name: string;
  /** Label of the method that the others are compared with. */
  baseline?: string | undefined;
  /** Names of the metrics of the comparisons. @default the main one of each data set */
  metrics?: readonly string[] | undefined;
  /**
   * Field that groups questions into clusters, which are sampled as one. @default each question on
   * its own
   */
  cluster?: string | undefined;
  cells: readonly (Omit<StudyCell, 'runs'> & { runs: readonly string[] })[];
  /** Rule for stopping once comparisons are decided. */
  untilDecided?: Partial<UntilDecided> | undefined;
  /** Number of comparisons, also counting missing cells: all are corrected together. */
  comparisons?: number | undefined;
}

/** A check of a study: it must not be worse by a margin than a stored run. */
export interface StudyGate {
  /** A stored run of the same questions. */
  run: string;
  /** Difference, as a fraction, from which it is too much worse. */
  margin: number;
  /** Probability of a wrong PASS or FAIL. */
  alpha: number;
  /** @default 'questionsLikeThese' */
  about?: UntilDecided['about'];
}

/** Whether a comparison or gate of a study is decided after a round, and how. */
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
  /** Questions that count so far, and all of them. */
  asked: number;
  questions: number;
  decidedAt?: number;
  /** Mean difference, and a band that contains it at every check. */
  difference: { mean: number; low: number; high: number };
  /** The state as a sentence. */
  said: string;
}

/** What a check after a round decided. */
export interface StudyDecisions {
  decisions: StudyDecision[];
  /** Runs that need ask no more, because all their comparisons are decided. */
  over: string[];
}

/** The progress of one run of a study. */
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
  /** Why it ended without its answers. */
  failure?: string;
}

/** Progress of a study: the answer to the query "progress", and the result of its workflow. */
export interface StudyProgress {
  study: string;
  state: 'running' | 'paused' | 'finished';
  /** Why nothing more begins; null if nothing is paused. */
  pause: { reason: string; message: string; run?: string } | null;
  budgetUsd: number | null;
  /** Cost of this start, in US dollars; null once a price is unknown. */
  spentUsd: number | null;
  runs: StudyRunProgress[];
  /** Decisions after the last round; only in a study that stops once decided. */
  decisions?: StudyDecision[];
}

/** The settings of a study that can be changed while it is running. */
export interface StudySettings {
  /** Budget of all its runs together, in US dollars; null is no limit. */
  budgetUsd: number | null;
}
