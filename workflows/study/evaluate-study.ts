/**
 * The workflow of a study: asks all runs breadth first, so that a part of its table is a fair one.
 */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  defineQuery,
  defineUpdate,
  executeChild,
  getExternalWorkflowHandle,
  rootCause,
  setCurrentDetails,
  setHandler,
  TemporalFailure,
  workflowInfo,
} from '@temporalio/workflow';
import { dollars } from '../../core/dollars.js';
import type { FailureType } from '../../core/failure.js';
import type { RunInput, RunSpec } from '../../core/run/input.js';
import type { RunProgress, Unbegun } from '../../core/run/run.js';
import type { StudyProgress, StudyRunProgress, StudySettings } from '../../core/study/cell.js';
import { type CellLabels, isEnded, standingLine } from '../../core/study/cells.js';
import type { StudyPlan, TuneRun } from '../../core/study/plan.js';
import { advanceTune, checkTune, decideStudy } from '../run/activities.js';
import type { evaluateRun } from '../run/evaluate-run.js';
import { costsSeenSignal, pauseSignal } from '../run/listen.js';
import { workflowIdOf } from '../run/run-name.js';
import { takenIn } from '../taken-in.js';
import { continueOnCurrent, isOutdated, type Moved, movingFrom } from '../version.js';
import { noMoney, type RoundShare, StudyBudget, type StudyMoney } from './study-budget.js';

export const studyProgressQuery = defineQuery<StudyProgress>('progress');
/** Each update returns the progress after it. */
export const pauseStudyUpdate = defineUpdate<StudyProgress>('pause');
export const resumeStudyUpdate = defineUpdate<StudyProgress>('resume');
export const setStudyUpdate = defineUpdate<StudyProgress, [Partial<StudySettings>]>('set');

/** State of a study, carried from one history to the next. */
interface StudyState extends Omit<StudyProgress, 'study' | 'state'>, StudyMoney {
  /** When this start began, in milliseconds since 1970. */
  startedAt: number;
  /** Rounds after which the decisions have been checked. */
  checkedRounds: number;
  /** State of the tune; undefined for a study that is none. */
  tuning?: Tuning;
}

/** The state of a tune. */
interface Tuning {
  /** Its runs, which follow from what has been answered. */
  runs: (TuneRun & { asked: number })[];
  canStop: boolean;
  /** The search has spent what was not set aside. */
  stopped: boolean;
  isOver: boolean;
}

/**
 * Asks the questions of every run in rounds. Each round is a child workflow, which is told how far
 * it may go; a run that is started again asks only questions without an answer. A run is at most
 * one round ahead of the slowest, so one slow question does not hold up the others. A run that
 * needs a person ends its round, and the study pauses with its reason. A study that stops once it
 * is decided checks the answers after each round that all runs have ended. A tune asks step by step
 * what follows from the answers so far.
 *
 * If its history has grown long, or another version of the workers is current, no round begins, and
 * the study continues as new after the last one under way.
 */
export async function evaluateStudy(
  plan: StudyPlan,
  before?: StudyState | null,
  roundsPerHistory = ROUNDS_PER_HISTORY,
  moved: Moved = {},
): Promise<StudyProgress> {
  const { study, untilDecided, gate, tune } = plan;
  const stops = untilDecided !== undefined || gate !== undefined;
  const standing = before ?? openingStanding(plan);
  const { runs, tuning } = standing;
  const inputs = tuning ? tuning.runs.map(({ input }) => input) : plan.runs;
  const budget = new StudyBudget(standing, inputs.map(cellOf));
  let begun = 0;
  /** Runs that were asked to end their round since the study was paused. */
  const pausedRuns = new Set<string>();

  const progress = (): StudyProgress => {
    const {
      startedAt,
      checkedRounds,
      knownUsd,
      money,
      tuning: _,
      setAsideUsd: __,
      ...shown
    } = standing;
    const state = isOver() ? 'finished' : standing.pause && !isUnderWay() ? 'paused' : 'running';
    return { study, state, ...shown };
  };
  const isOver = () => (tuning ? tuning.isOver : runs.every(isEnded));
  const isUnderWay = () => runs.some(({ state }) => state === 'running');
  setHandler(studyProgressQuery, progress, { description: 'How far the study is.' });
  setHandler(pauseStudyUpdate, async () => {
    await takenIn();
    standing.pause ??= { reason: 'user', message: 'Paused until it is resumed.' };
    const running = runs.filter(({ state }) => state === 'running');
    await Promise.all(running.map(({ run }) => askToPause(run)));
    return progress();
  });
  setHandler(resumeStudyUpdate, async () => {
    await takenIn();
    standing.pause = null;
    return progress();
  });
  setHandler(setStudyUpdate, async (change) => {
    await takenIn();
    if (change.budgetUsd !== undefined) setBudget(change.budgetUsd);
    return progress();
  });
  setHandler(costsSeenSignal, (run, costsSeen, spentUsd) => {
    const at = runs.findIndex((one) => one.run === run);
    // The run's round may have ended in the meantime.
    if (runs[at]?.state === 'running') budget.shown(at, costsSeen, spentUsd);
  });

  // A cancelled study ends after the last of its runs.
  if (tuning) await tuneOn(tuning);
  else await allOf([...runs.map((_, at) => askAll(at)), ...(stops ? [checkAfterRounds()] : [])]);
  if (isOver()) return progress();
  await condition(allHandlersFinished);
  const next = movingFrom(moved);
  return continueOnCurrent<typeof evaluateStudy>(plan, standing, roundsPerHistory, next);

  function isLong(): boolean {
    const { continueAsNewSuggested } = workflowInfo();
    return begun >= roundsPerHistory || continueAsNewSuggested || isOutdated(moved);
  }

  /** Asks the rounds of a run, as long as they may begin in this history. */
  async function askAll(at: number): Promise<void> {
    const run = runs[at] as StudyRunProgress;
    const isAsked = () => isEnded(run) || (tuning && isStepDone(at));
    for (;;) {
      const isAllowed = () => isDue(run, at) && (shareOf(at) !== 'wait' || isSpent());
      await condition(() => isLong() || isAsked() || isAllowed());
      if (isLong() || isAsked()) return;
      // Another run may have begun in the meantime with what was left.
      if (!isAllowed()) continue;
      const share = shareOf(at);
      if (share !== 'wait') await askRound(at, share);
      else if (tuning?.canStop && (standing.setAsideUsd ?? 0) > 0) tuning.stopped = true;
      else pauseAsSpent();
    }
  }

  /** Asks a tune step by step: what is asked next follows from the answers so far. */
  async function tuneOn(now: Tuning): Promise<void> {
    await onceResumed();
    if (tune && standing.setAsideUsd === undefined && !isLong()) {
      await orPause(async () => {
        standing.setAsideUsd = (await checkTune(tune)) ?? 0;
      });
    }
    while (!now.isOver && !isLong()) {
      await onceResumed();
      if (!isLong()) await orPause(() => advance(now));
      await allOf(runs.map((_, at) => askAll(at)));
    }
  }

  async function onceResumed(): Promise<void> {
    await condition(() => isLong() || standing.pause === null);
  }

  /**
   * Does something that a person may have to mend. If it fails, the study pauses, and it is done again
   * once that is resumed. Returns false if this history ends before.
   */
  async function orPause(work: () => Promise<void>): Promise<boolean> {
    for (;;) {
      try {
        await work();
        return true;
      } catch (error) {
        if (CancellationScope.current().consideredCancelled) throw error;
        if (!(error instanceof TemporalFailure) || (tune && isRefusal(error))) throw error;
        standing.pause ??= { reason: 'decision', message: rootCause(error) ?? error.message };
      }
      await onceResumed();
      if (isLong()) return false;
    }
  }

  async function advance(now: Tuning): Promise<void> {
    if (!tune) return;
    const failed = runs.filter(({ state }) => state === 'failed').map(({ run }) => run);
    const asked = Object.fromEntries(
      now.runs.filter((one) => one.asked > 0).map((one) => [one.input.run, one.asked]),
    );
    const { stopped } = now;
    const step = await advanceTune({ tune, failed, asked, stopped });
    if (step.decisions.length > 0) standing.decisions = step.decisions;
    now.canStop = step.canStop;
    if (step.confirms) standing.setAsideUsd = 0;
    for (const one of step.ask) {
      const there = now.runs.find(({ input }) => input.run === one.input.run);
      if (there) there.questions = one.questions;
      else beginRun({ ...one, asked: 0 }, now);
    }
    now.isOver = step.ask.length === 0;
    // A candidate that goes no further is at its end.
    for (const one of runs) {
      const isNext = step.ask.some(({ input }) => input.run === one.run);
      if (one.state === 'waiting' && !isNext) one.state = 'decided';
    }
  }

  function beginRun(one: Tuning['runs'][number], now: Tuning): void {
    now.runs.push(one);
    inputs.push(one.input);
    runs.push({
      run: one.input.run,
      state: 'waiting',
      rounds: 0,
      questions: 0,
      done: 0,
      failed: 0,
    });
    budget.add(cellOf(one.input));
  }

  /** Tells whether a run of a tune has been asked what its step asks. */
  function isStepDone(at: number): boolean {
    const { asked = 0, questions = 0 } = tuning?.runs[at] ?? {};
    // A search that is stopped ends with what it has asked.
    const isStopping = tuning?.stopped === true && (standing.setAsideUsd ?? 0) > 0;
    return isStopping || asked >= (questions ?? ALL);
  }

  /** Returns how many questions a run may have been asked after its next round. */
  function nextLimit(at: number): number {
    const one = tuning?.runs[at];
    return one ? (one.questions ?? ALL) : askedAfter((runs[at]?.rounds ?? 0) + 1);
  }

  function isDue({ state, rounds }: StudyRunProgress, at: number): boolean {
    const isReady = state === 'waiting' && standing.pause === null;
    if (tuning) return isReady && !isStepDone(at) && allHandlersFinished();
    const slowest = Math.min(...runs.filter((one) => !isEnded(one)).map((one) => one.rounds));
    const isNext = rounds <= slowest + AHEAD && (!stops || rounds <= standing.checkedRounds);
    // Updates are answered first, however long their traces take: a history tells the order.
    return isReady && isNext && allHandlersFinished();
  }

  function shareOf(at: number): RoundShare | 'wait' {
    const { rounds = 0, questions = 0 } = runs[at] ?? {};
    const one = tuning?.runs[at];
    if (!one) return budget.shareFor(at, askedAfter(rounds + 1) - askedAfter(rounds));
    return budget.shareFor(at, Math.max(1, (one.questions ?? (questions || FIRST)) - one.asked));
  }

  /**
   * Tells whether no round is under way and none that is due can be paid for. The sum is then
   * final.
   */
  function isSpent(): boolean {
    return !isUnderWay() && runs.every((one, at) => !isDue(one, at) || shareOf(at) === 'wait');
  }

  function pauseAsSpent(): void {
    const due = runs.flatMap((run, at) => (isDue(run, at) ? [at] : []));
    standing.pause = { reason: 'budget', message: budget.spentMessage(due) };
  }

  function setBudget(budgetUsd: number | null): void {
    standing.budgetUsd = budgetUsd;
    if (standing.pause?.reason !== 'budget') return;
    const change =
      budgetUsd === null ? 'There is no budget any more' : `It is ${dollars(budgetUsd)} now`;
    standing.pause.message = `The budget was spent. ${change}: resume to go on.`;
  }

  /** Checks the decisions each time that all runs have ended a round. */
  async function checkAfterRounds(): Promise<void> {
    const haveAllAsked = () =>
      runs.every((one) => isEnded(one) || one.rounds > standing.checkedRounds);
    while (!runs.every(isEnded)) {
      await condition(() => isLong() || haveAllAsked());
      if (isLong()) return;
      if (!(await orPause(checkDecisions))) return;
      standing.checkedRounds++;
    }
  }

  /** Checks which comparisons are decided. Runs whose comparisons all are end. */
  async function checkDecisions(): Promise<void> {
    const asked = plan.runs.map(({ run, study: of }, at) => {
      return { run, study: of as RunSpec['study'], hasFailed: runs[at]?.state === 'failed' };
    });
    const rule = { ...(untilDecided && { untilDecided }), ...(gate && { gate }) };
    const { budgetUsd, knownUsd } = standing;
    const leftUsd = budgetUsd === null ? undefined : budgetUsd - knownUsd;
    const given = { study, ...rule, runs: asked, ...(leftUsd !== undefined && { leftUsd }) };
    const found = await decideStudy(given);
    standing.decisions = found.decisions;
    for (const one of runs) {
      if (one.state === 'waiting' && found.over.includes(one.run)) one.state = 'decided';
    }
  }

  /**
   * Asks a round. One that ends before its questions do is asked again with what is left of the
   * budget.
   */
  async function askRound(at: number, share: RoundShare): Promise<void> {
    const run = runs[at] as StudyRunProgress;
    begun++;
    run.state = 'running';
    const { costsSeen } = budget.of(at);
    budget.begin(at, share);
    setCurrentDetails(standingLine(progress()));
    const upTo = nextLimit(at);
    // Failed questions are asked again once in each start of the study.
    const limit = upTo === ALL ? {} : { upTo };
    const part = { retryBefore: standing.startedAt, ...limit, endsAtPause: true, ...share };
    try {
      const asked = await executeChild<typeof evaluateRun>('evaluateRun', {
        workflowId: workflowIdOf(run.run),
        args: [{ ...inputs[at], ...part } as RunInput],
        parentClosePolicy: 'REQUEST_CANCEL',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      });
      countRound(run, asked);
      budget.settle(at, asked, share, costsSeen);
      const { pause } = asked;
      // The study may have been resumed before the round it paused came to its end.
      if (pausedRuns.delete(run.run) && pause?.reason === 'user') return;
      // Its share is spent, and the others may have left something.
      if (pause?.reason === 'budget') return;
      if (pause) {
        standing.pause ??= { reason: pause.reason, message: pause.message };
        return;
      }
      run.rounds++;
      const one = tuning?.runs[at];
      if (one) one.asked = upTo;
      if (upTo >= run.questions) run.state = 'finished';
    } catch (error) {
      if (CancellationScope.current().consideredCancelled) throw error;
      // The run may have been started outside the study.
      if (!(error instanceof TemporalFailure)) throw error;
      budget.settleFailed(at, isUnbegun(error));
      const message = rootCause(error) ?? error.message;
      if (run.questions > 0 && isConflict(error)) {
        // The workers have changed since its last round.
        run.state = 'waiting';
        standing.pause ??= { reason: 'RunMismatch', message, run: run.run };
      } else Object.assign(run, { state: 'failed', failure: message });
    }
  }

  function countRound(run: StudyRunProgress, asked: RunProgress): void {
    const { questions, done, outcomes } = asked;
    // A round that pauses may not have counted all that was answered before.
    const most = Math.max(run.done, done);
    Object.assign(run, { state: 'waiting', questions, done: most, failed: outcomes.failed });
  }

  async function askToPause(run: string): Promise<void> {
    pausedRuns.add(run);
    // The round may have ended in the meantime.
    await getExternalWorkflowHandle(workflowIdOf(run))
      .signal(pauseSignal)
      .catch(() => {});
  }
}

/** Returns the same text for all repeats of a cell. */
function cellOf({ run, study }: StudyPlan['runs'][number]): string {
  const { dataset, method, model } = Object(study) as Partial<CellLabels>;
  return JSON.stringify(method === undefined ? [run] : [dataset, method, model]);
}

/** Tells whether a run was refused because it differs from what is stored of it. */
function isConflict({ cause }: TemporalFailure): boolean {
  return cause instanceof ApplicationFailure && cause.type === 'Conflict';
}

/** Tells whether a round failed before it could pay for anything. */
function isUnbegun(error: TemporalFailure): boolean {
  if (!(error.cause instanceof ApplicationFailure)) {
    return error instanceof WorkflowExecutionAlreadyStartedError;
  }
  return (Object(error.cause.details?.[0]) as Unbegun).unbegun === true;
}

/** Most rounds that a run may be ahead of the slowest. */
const AHEAD = 1;

/** Rounds in one history. Each takes some nine events; Temporal allows 51,200. */
const ROUNDS_PER_HISTORY = 1000;

/** Waits for all of them, also where one fails. */
async function allOf(all: readonly Promise<void>[]): Promise<void> {
  const ended = await Promise.allSettled(all);
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}

/** Stands for all questions of a run. */
const ALL = Number.MAX_SAFE_INTEGER;

/** Tells whether what a tune asks for cannot be had, whoever mends something. */
function isRefusal({ cause }: TemporalFailure): boolean {
  const refusals: readonly FailureType[] = ['BadInput', 'UnknownRun'];
  return cause instanceof ApplicationFailure && refusals.includes(cause.type as FailureType);
}

function openingStanding({ runs, budgetUsd, tune }: StudyPlan): StudyState {
  return {
    ...(tune && { tuning: { runs: [], canStop: false, stopped: false, isOver: false } }),
    startedAt: Date.now(),
    pause: null,
    budgetUsd: budgetUsd ?? null,
    spentUsd: 0,
    knownUsd: 0,
    checkedRounds: 0,
    money: runs.map(() => noMoney),
    runs: runs.map(({ run }) => {
      return { run, state: 'waiting', rounds: 0, questions: 0, done: 0, failed: 0 };
    }),
  };
}

/** Questions of the first round: enough to see that all cells work. */
const FIRST = 20;
/** Most questions added in a round, so that no cell is far ahead of another. */
const WIDEST = 500;

/** Returns how many of its questions a run may have asked after this many rounds. */
export function askedAfter(rounds: number): number {
  let asked = 0;
  for (let round = 1; round <= rounds; round++) {
    asked += round === 1 ? FIRST : Math.min(Math.ceil(asked / 2), WIDEST);
  }
  return asked;
}
