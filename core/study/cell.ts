/** A run's place in a study, and the study's progress. Types only. */
import type { RunSpec } from '../run/input.js';
import type { TunePlan } from '../tune/runs.js';
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

/** The plan of a study, which its workflow is started with. */
export interface StudyPlan {
  study: string;
  /** Inputs of runs, checked when each begins. */
  runs: { run: string; [field: string]: unknown }[];
  /** Budget of all runs together, in US dollars. */
  budgetUsd?: number;
  /** Rule for stopping once its comparisons are decided. */
  untilDecided?: UntilDecided;
  /**
   * Rule for stopping once its only cell is shown to be too much worse than a stored run, or not to
   * be.
   */
  gate?: StudyGate;
  /** It is a tune, whose runs follow from what has been answered. */
  tune?: TunePlan;
}

/** The stored run and limits of a check. */
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

/** State of a comparison or gate after a round. */
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

/** Input of a check after a round. */
export interface DecideStudy extends Pick<StudyPlan, 'study' | 'untilDecided' | 'gate'> {
  runs: { run: string; study: RunSpec['study']; hasFailed: boolean }[];
  /** Rest of the budget, in US dollars; absent without one. */
  leftUsd?: number;
}

export interface StudyDecisions {
  decisions: StudyDecision[];
  /** Runs that need ask no more, because all their comparisons are decided. */
  over: string[];
}

/** A run of a tune that is asked next. */
export interface TuneRun {
  /** Its input, checked where it begins. */
  input: { run: string; [field: string]: unknown };
  /** How many of its questions are asked in all; null for all of them. */
  questions: number | null;
}

/** What is asked next in a tune, given what has been answered. */
export interface TuneStep {
  /** Nothing if the tune has ended. */
  ask: TuneRun[];
  /** Whether half B is asked: what was set aside for that may be spent. */
  confirms: boolean;
  /** Whether the search can end with what it has asked. */
  canStop: boolean;
  /** What half B has shown of the finalists. */
  decisions: StudyDecision[];
}

/** What is asked before each step of a tune. */
export interface AdvanceTune {
  tune: TunePlan;
  /** Runs that cannot be asked. */
  failed: string[];
  /** How many questions the runs have been asked, by name. */
  asked: Record<string, number>;
  /** The search has spent its part of the budget. */
  stopped: boolean;
}

export interface StudyRunProgress {
  run: string;
  /** State; `decided` means that its remaining questions need not be asked. */
  state: 'waiting' | 'running' | 'finished' | 'decided' | 'failed';
  /** Number of ended rounds. */
  rounds: number;
  /** Number of its questions; 0 until it has been asked. */
  questions: number;
  done: number;
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

export interface StudySettings {
  budgetUsd: number | null;
}
