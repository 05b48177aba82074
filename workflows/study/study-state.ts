/** The state of a study, and the progress that it shows. Pure. */
import type { StudyProgress, StudyRunProgress } from '../../core/study/cell.js';
import type { StudyPlan, TuneRun } from '../../core/study/plan.js';
import type { ProposalRound } from '../../core/tune/proposals.js';
import { noCosts, type StudyCosts } from './study-budget.js';

/**
 * The state of the workflow of a study, carried from one history to the next: its progress, its
 * costs, and for a tune what it has decided.
 */
export interface StudyState extends Omit<StudyProgress, 'study' | 'state'>, StudyCosts {
  /** Time of this start, in milliseconds since 1970. */
  startedAt: number;
  /** Number of rounds after which the decisions were last checked. */
  checkedRounds: number;
  /** State of its tune; undefined for a study that is no tune. */
  tuning?: TuneState;
}

/**
 * The part of a study's state that only a tune has: the runs it has decided to ask, its stage, and
 * the prompts that were written for it.
 */
export interface TuneState {
  /** Its runs, in the order of the state's, with the number of questions that each was asked. */
  runs: (TuneRun & { asked: number })[];
  /** Whether the search may end early, with what it has asked so far. */
  canStop: boolean;
  /** Whether the search ends early, since it has spent all that was not set aside. */
  stopped: boolean;
  /** Whether the confirmation on half B has begun. */
  confirms: boolean;
  /** Whether nothing is left to ask. */
  isOver: boolean;
  /** The prompts that were written for it, by round; left out if there are none. */
  proposed?: readonly ProposalRound[];
}

/** Returns the state of a study at its start. A tune begins without runs. */
export function initialState({ runs, budgetUsd, tune }: StudyPlan): StudyState {
  return {
    ...(tune && { tuning: openingTune() }),
    startedAt: Date.now(),
    pause: null,
    budgetUsd: budgetUsd ?? null,
    spentUsd: 0,
    knownUsd: 0,
    checkedRounds: 0,
    money: runs.map(() => noCosts),
    runs: runs.map(({ run }) => waitingRun(run)),
  };
}

function openingTune(): TuneState {
  return { runs: [], canStop: false, stopped: false, confirms: false, isOver: false };
}

/**
 * Returns the progress of a run of a study that has not begun: it waits, and all counts are 0.
 *
 * @param run Name of the run.
 */
export function waitingRun(run: string): StudyRunProgress {
  return { run, state: 'waiting', rounds: 0, questions: 0, done: 0, failed: 0 };
}

/** Returns whether a round of any run of a study is under way. */
export function isUnderWay({ runs }: Pick<StudyState, 'runs'>): boolean {
  return runs.some(({ state }) => state === 'running');
}

/**
 * Returns the progress of a study as its query shows it.
 *
 * @param isOver Whether nothing is left to ask.
 */
export function progressOf(study: string, state: StudyState, isOver: boolean): StudyProgress {
  const { pause, budgetUsd, spentUsd, runs, decisions, tuning } = state;
  return {
    study,
    state: isOver ? 'finished' : pause && !isUnderWay(state) ? 'paused' : 'running',
    ...(tuning && { stage: tuning.confirms ? 'confirmation' : 'search' }),
    pause,
    budgetUsd,
    spentUsd,
    runs,
    ...(decisions && { decisions }),
  };
}
