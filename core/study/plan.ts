/** Inputs of the workflow of a study or a tune, and of its activities. Types only. */
import type { RunSpec } from '../run/input.js';
import type { ProposalRound } from '../tune/proposals.js';
import type { TunePlan } from '../tune/tune-runs.js';
import type { StudyDecision, StudyGate } from './cell.js';
import type { UntilDecided } from './until-decided.js';

/**
 * The input of a study's workflow: the inputs of its runs, its budget in US dollars, its stopping
 * rule, and its gate or tune if it has one.
 */
export interface StudyPlan {
  study: string;
  /** Inputs of its runs; each is checked when its run begins. */
  runs: { run: string; [field: string]: unknown }[];
  /** Budget of all runs together, in US dollars; absent without a limit. */
  budgetUsd?: number;
  /** Stopping rule; absent if all questions are asked. */
  untilDecided?: UntilDecided;
  /** Gate of its only cell; the study stops once it is decided. */
  gate?: StudyGate;
  /** Set if it is a tune, whose runs depend on earlier answers. */
  tune?: TunePlan;
}

/**
 * The input of the activity that decides after a round which comparisons of a study need no more
 * questions: the study's runs, its stopping rule or gate, and the remaining budget in US dollars.
 */
export interface DecideStudyInput extends Pick<StudyPlan, 'study' | 'untilDecided' | 'gate'> {
  runs: { run: string; study: RunSpec['study']; hasFailed: boolean }[];
  /** Remaining budget, in US dollars; absent without a limit. */
  leftUsd?: number;
}

/**
 * The input of a run that a tune starts or continues next, and the number of its questions to ask.
 */
export interface TuneRun {
  /** Its input, which is checked when it starts. */
  input: { run: string; [field: string]: unknown };
  /** Number of its questions to be asked in total, with those asked earlier; null for all. */
  questions: number | null;
}

/**
 * The next step of a tune: the runs to ask, or that prompts are to be written first; neither if
 * the tune has ended. Further whether it asks half B, which confirms the result, whether its
 * search can end, and the decisions on half B.
 */
export interface TuneStep {
  /** Runs to ask; empty if the tune has ended, or if prompts are to be written first. */
  ask: TuneRun[];
  /**
   * Set if prompts are to be written first, with the highest cost of writing them, in US dollars;
   * null if unknown.
   */
  propose?: { mostUsd: number | null };
  /** The prompts that have been written so far; absent if there are none. */
  proposed?: readonly ProposalRound[];
  /** Whether half B is asked, so that the budget reserved for it may be spent. */
  confirms: boolean;
  /** Whether the search can end with the answers that exist. */
  canStop: boolean;
  /** Decisions about the finalists on half B. */
  decisions: StudyDecision[];
}

/**
 * The input of the activity that decides the next step of a tune: the tune, the failed runs, the
 * numbers of questions asked so far, and whether the search has spent its part of the budget.
 */
export interface AdvanceTuneInput {
  tune: TunePlan;
  /** Names of the runs that failed and cannot continue. */
  failed: string[];
  /** Number of questions asked so far, by run name. */
  asked: Record<string, number>;
  /** Whether the search has spent its part of the budget. */
  stopped: boolean;
}
