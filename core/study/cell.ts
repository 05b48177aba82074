/** Where a run stands in a study. Types only. */
import type { RunSpec } from '../run/input.js';
import type { UntilDecided } from './until-decided.js';

/** A cell of a study, by the labels that tables show. */
export interface StudyCell {
  method: string;
  dataset: string;
  model: string;
  /** A run a repeat, in order. */
  runs: string[];
}

/** What is needed of a study to read its results; its record has this and more. */
export interface StudyCells {
  name: string;
  /** Label of the method that the others are compared with. */
  baseline?: string | undefined;
  /** Names of the metrics that they are compared in. @default the main one of each data set */
  metrics?: readonly string[] | undefined;
  /** Field whose value questions of a cluster share, which are one draw. @default each is one */
  cluster?: string | undefined;
  cells: readonly (Omit<StudyCell, 'runs'> & { runs: readonly string[] })[];
  /** It stops where it is decided. */
  untilDecided?: Partial<UntilDecided> | undefined;
  /** How many are meant, if cells are missing here: all are corrected together. */
  comparisons?: number | undefined;
}

/** What a study asks, as its workflow is given it. */
export interface StudyPlan {
  study: string;
  /** Inputs of runs, checked where each begins. */
  runs: { run: string; [field: string]: unknown }[];
  /** US dollars for all runs together. */
  budgetUsd?: number;
  /** It stops where its comparisons are decided. */
  untilDecided?: UntilDecided;
  /** It stops where its only cell is shown to be, or not to be, too much worse than a kept run. */
  gate?: StudyGate;
}

/** What the cell of a check is held against. */
export interface StudyGate {
  /** A kept run of the same questions. */
  run: string;
  /** How much worse is too much, as a share. */
  margin: number;
  /** Chance of a wrong PASS or FAIL. */
  alpha: number;
  /** @default 'questionsLikeThese' */
  about?: UntilDecided['about'];
}

/** What is known of a comparison, or of a gate, after a round. */
export interface StudyDecision {
  method: string;
  dataset: string;
  model: string;
  /** What it is compared with. */
  against: string;
  /** In words. */
  metric: string;
  verdict:
    | ('better' | 'worse' | 'alike' | 'cannot' | 'undecided')
    | ('PASS' | 'FAIL' | 'UNDECIDED');
  /** Questions that count so far, and those there are. */
  asked: number;
  questions: number;
  decidedAt?: number;
  /** The mean difference and the band that holds it whenever it is looked at. */
  difference: { mean: number; low: number; high: number };
  /** In a sentence. */
  said: string;
}

/** What is asked after each round. */
export interface DecideStudy extends Pick<StudyPlan, 'study' | 'untilDecided' | 'gate'> {
  runs: { run: string; study: RunSpec['study']; hasFailed: boolean }[];
  /** US dollars that are left; left out without a budget. */
  leftUsd?: number;
}

export interface StudyDecisions {
  decisions: StudyDecision[];
  /** Runs that have nothing more to ask: all that they are compared with is decided. */
  over: string[];
}

export interface StudyRunProgress {
  run: string;
  /** Decided: what is left of its questions need not be asked. */
  state: 'waiting' | 'running' | 'finished' | 'decided' | 'failed';
  /** How many of its rounds have ended. */
  rounds: number;
  /** 0 until it has been asked. */
  questions: number;
  done: number;
  failed: number;
  /** Why it ended without its answers. */
  failure?: string;
}

/** Where a study stands: the answer to the query "progress", and the result of its workflow. */
export interface StudyProgress {
  study: string;
  state: 'running' | 'paused' | 'finished';
  /** Why nothing more begins. */
  pause: { reason: string; message: string; run?: string } | null;
  budgetUsd: number | null;
  /** Of this start; null once a price is not known. */
  spentUsd: number | null;
  runs: StudyRunProgress[];
  /** After the last round; only of a study that stops where it is decided. */
  decisions?: StudyDecision[];
}

export interface StudySettings {
  budgetUsd: number | null;
}
