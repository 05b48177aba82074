/** What a study or a tune is started with, and what its activities are asked. Types only. */
import type { RunSpec } from '../run/input.js';
import type { Proposals } from '../tune/proposals.js';
import type { TunePlan } from '../tune/runs.js';
import type { StudyDecision, StudyGate } from './cell.js';
import type { UntilDecided } from './until-decided.js';

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

/** The input of the activity that checks after a round which comparisons are decided. */
export interface DecideStudy extends Pick<StudyPlan, 'study' | 'untilDecided' | 'gate'> {
  runs: { run: string; study: RunSpec['study']; hasFailed: boolean }[];
  /** Rest of the budget, in US dollars; absent without one. */
  leftUsd?: number;
}

/** A run that a tune starts or continues next. */
export interface TuneRun {
  /** Its input, checked where it begins. */
  input: { run: string; [field: string]: unknown };
  /** How many of its questions are asked in all; null for all of them. */
  questions: number | null;
}

/** What is asked next in a tune, given what has been answered. */
export interface TuneStep {
  /** Nothing if the tune has ended, or prompts are written first. */
  ask: TuneRun[];
  /** Set if prompts are written first: what that takes at most, in US dollars; null if unknown. */
  propose?: { mostUsd: number | null };
  /** The prompts that were written so far; absent if there are none. */
  proposed?: readonly Proposals[];
  /** Whether half B is asked: what was set aside for that may be spent. */
  confirms: boolean;
  /** Whether the search can end with what it has asked. */
  canStop: boolean;
  /** What half B has shown of the finalists. */
  decisions: StudyDecision[];
}

/** The input of the activity that decides what a tune asks next. */
export interface AdvanceTune {
  tune: TunePlan;
  /** Runs that cannot be asked. */
  failed: string[];
  /** How many questions the runs have been asked, by name. */
  asked: Record<string, number>;
  /** The search has spent its part of the budget. */
  stopped: boolean;
}
