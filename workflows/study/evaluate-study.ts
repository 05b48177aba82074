/** Asks all runs of a study, breadth first, so that a part of its table is a fair one. */
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
import type { RunInput, RunSpec } from '../../core/run/input.js';
import type { RunProgress, Unbegun } from '../../core/run/run.js';
import type {
  StudyPlan,
  StudyProgress,
  StudyRunProgress,
  StudySettings,
} from '../../core/study/cell.js';
import { type CellLabels, isEnded, standingLine } from '../../core/study/cells.js';
import { decideStudy } from '../run/activities.js';
import type { evaluateRun } from '../run/evaluate-run.js';
import { costsSeenSignal, pauseSignal } from '../run/listen.js';
import { workflowIdOf } from '../run/run-name.js';
import { takenIn } from '../taken-in.js';
import { continueOnCurrent, isOutdated, type Moved, movingFrom } from '../version.js';
import { noMoney, type RoundShare, StudyBudget, type StudyMoney } from './study-budget.js';

export const studyProgressQuery = defineQuery<StudyProgress>('progress');
/** Each update gives the progress after it. */
export const pauseStudyUpdate = defineUpdate<StudyProgress>('pause');
export const resumeStudyUpdate = defineUpdate<StudyProgress>('resume');
export const setStudyUpdate = defineUpdate<StudyProgress, [Partial<StudySettings>]>('set');

/** Where a study stands; goes from one of its histories to the next. */
interface Standing extends Omit<StudyProgress, 'study' | 'state'>, StudyMoney {
  /** When this start began, milliseconds since 1970. */
  startedAt: number;
  /** Rounds after which it was looked at what is decided. */
  looked: number;
}

/**
 * Every run asks its questions in rounds, each a child workflow: it is told how far it may go, and
 * a run that is started again asks only what has no answer. A run is at most one round ahead of the
 * slowest, so one slow question does not hold the others. A run that cannot go on without a person
 * ends its round, and the study pauses with its reason. A study that stops where it is decided looks
 * at what is answered after each round, once all runs have ended it.
 *
 * When its history has grown long, or another version of the workers is the current one, no round
 * begins, and the study continues as new after the last that is under way.
 */
export async function evaluateStudy(
  plan: StudyPlan,
  before?: Standing | null,
  roundsPerHistory = ROUNDS_PER_HISTORY,
  moved: Moved = {},
): Promise<StudyProgress> {
  const { study, untilDecided, gate } = plan;
  const stops = untilDecided !== undefined || gate !== undefined;
  const standing = before ?? openingStanding(plan);
  const { runs } = standing;
  const budget = new StudyBudget(standing, plan.runs.map(cellOf));
  let begun = 0;
  /** Runs whose round ends since the study was paused. */
  const told = new Set<string>();

  const progress = (): StudyProgress => {
    const { startedAt, looked, knownUsd, money, ...shown } = standing;
    const isOver = runs.every(isEnded);
    const state = isOver ? 'finished' : standing.pause && !isUnderWay() ? 'paused' : 'running';
    return { study, state, ...shown };
  };
  const isUnderWay = () => runs.some(({ state }) => state === 'running');
  setHandler(studyProgressQuery, progress, { description: 'How far the study is.' });
  setHandler(pauseStudyUpdate, async () => {
    await takenIn();
    standing.pause ??= { reason: 'user', message: 'Paused until it is resumed.' };
    const under = runs.filter(({ state }) => state === 'running');
    await Promise.all(under.map(({ run }) => tellToPause(run)));
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
    // Its round may have ended meanwhile.
    if (runs[at]?.state === 'running') budget.shown(at, costsSeen, spentUsd);
  });

  // Where it is cancelled, it ends after the last of its runs.
  const asked = await Promise.allSettled([
    ...runs.map((_, at) => askAll(at)),
    ...(stops ? [lookAfterRounds()] : []),
  ]);
  for (const one of asked) if (one.status === 'rejected') throw one.reason;
  if (runs.every(isEnded)) return progress();
  await condition(allHandlersFinished);
  const next = movingFrom(moved);
  return continueOnCurrent<typeof evaluateStudy>(plan, standing, roundsPerHistory, next);

  function isLong(): boolean {
    const { continueAsNewSuggested } = workflowInfo();
    return begun >= roundsPerHistory || continueAsNewSuggested || isOutdated(moved);
  }

  /** Asks the rounds of a run, as long as they may begin in this history. */
  async function askAll(at: number): Promise<void> {
    const now = runs[at] as StudyRunProgress;
    for (;;) {
      const isAllowed = () => isDue(now) && (shareOf(at) !== 'wait' || isSpent());
      await condition(() => isLong() || isEnded(now) || isAllowed());
      if (isLong() || isEnded(now)) return;
      // Another run may have begun since, with what was left.
      if (!isAllowed()) continue;
      const share = shareOf(at);
      if (share === 'wait') pauseAsSpent();
      else await askRound(at, share);
    }
  }

  function isDue({ state, rounds }: StudyRunProgress): boolean {
    const slowest = Math.min(...runs.filter((one) => !isEnded(one)).map((one) => one.rounds));
    const isNext = rounds <= slowest + AHEAD && (!stops || rounds <= standing.looked);
    // Updates are answered first, whatever traces of them take: a history tells the order.
    return state === 'waiting' && isNext && standing.pause === null && allHandlersFinished();
  }

  function shareOf(at: number): RoundShare | 'wait' {
    const { rounds = 0 } = runs[at] ?? {};
    return budget.shareFor(at, askedAfter(rounds + 1) - askedAfter(rounds));
  }

  /** Whether nothing is under way, and nothing that is due can be paid for: the sum has settled. */
  function isSpent(): boolean {
    return !isUnderWay() && runs.every((one, at) => !isDue(one) || shareOf(at) === 'wait');
  }

  function pauseAsSpent(): void {
    const due = runs.flatMap((run, at) => (isDue(run) ? [at] : []));
    standing.pause = { reason: 'budget', message: budget.spentMessage(due) };
  }

  function setBudget(budgetUsd: number | null): void {
    standing.budgetUsd = budgetUsd;
    if (standing.pause?.reason !== 'budget') return;
    const now =
      budgetUsd === null ? 'There is no budget any more' : `It is ${dollars(budgetUsd)} now`;
    standing.pause.message = `The budget was spent. ${now}: resume to go on.`;
  }

  /** Looks at what is decided each time that all runs have ended a round. */
  async function lookAfterRounds(): Promise<void> {
    const haveAllAsked = () => runs.every((one) => isEnded(one) || one.rounds > standing.looked);
    while (!runs.every(isEnded)) {
      await condition(() => isLong() || haveAllAsked());
      if (isLong()) return;
      while (!(await look())) {
        await condition(() => isLong() || standing.pause === null);
        if (isLong()) return;
      }
      standing.looked++;
    }
  }

  /** Returns false where the answers could not be read: the study has paused. */
  async function look(): Promise<boolean> {
    const now = plan.runs.map(({ run, study: of }, at) => {
      return { run, study: of as RunSpec['study'], hasFailed: runs[at]?.state === 'failed' };
    });
    const rule = { ...(untilDecided && { untilDecided }), ...(gate && { gate }) };
    const { budgetUsd, knownUsd } = standing;
    const leftUsd = budgetUsd === null ? undefined : budgetUsd - knownUsd;
    try {
      const given = { study, ...rule, runs: now, ...(leftUsd !== undefined && { leftUsd }) };
      const found = await decideStudy(given);
      standing.decisions = found.decisions;
      for (const one of runs) {
        if (one.state === 'waiting' && found.over.includes(one.run)) one.state = 'decided';
      }
      return true;
    } catch (error) {
      if (CancellationScope.current().consideredCancelled) throw error;
      if (!(error instanceof TemporalFailure)) throw error;
      standing.pause ??= { reason: 'decision', message: rootCause(error) ?? error.message };
      return false;
    }
  }

  /** A round that ended before its questions did is asked again, with what is left of the budget. */
  async function askRound(at: number, share: RoundShare): Promise<void> {
    const now = runs[at] as StudyRunProgress;
    begun++;
    now.state = 'running';
    const { costsSeen } = budget.of(at);
    budget.begin(at, share);
    setCurrentDetails(standingLine(progress()));
    const upTo = askedAfter(now.rounds + 1);
    // What has failed is asked again once in a start of the study.
    const part = { retryBefore: standing.startedAt, upTo, endsAtPause: true, ...share };
    try {
      const asked = await executeChild<typeof evaluateRun>('evaluateRun', {
        workflowId: workflowIdOf(now.run),
        args: [{ ...plan.runs[at], ...part } as RunInput],
        parentClosePolicy: 'REQUEST_CANCEL',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      });
      settle(now, asked);
      budget.settle(at, asked, share, costsSeen);
      const { pause } = asked;
      // The study may have been resumed before the round that it had paused came to its end.
      if (told.delete(now.run) && pause?.reason === 'user') return;
      // Its share is spent, and the others may have left something.
      if (pause?.reason === 'budget') return;
      if (pause) {
        standing.pause ??= { reason: pause.reason, message: pause.message };
        return;
      }
      now.rounds++;
      if (upTo >= now.questions) now.state = 'finished';
    } catch (error) {
      if (CancellationScope.current().consideredCancelled) throw error;
      // Somebody may have started the run by itself.
      if (!(error instanceof TemporalFailure)) throw error;
      budget.settleFailed(at, isUnbegun(error));
      const message = rootCause(error) ?? error.message;
      if (now.questions > 0 && isConflict(error)) {
        // The workers have changed since its last round.
        now.state = 'waiting';
        standing.pause ??= { reason: 'RunMismatch', message, run: now.run };
      } else Object.assign(now, { state: 'failed', failure: message });
    }
  }

  function settle(now: StudyRunProgress, asked: RunProgress): void {
    const { questions, done, outcomes } = asked;
    // One that pauses may not have come to all that it has answered.
    const most = Math.max(now.done, done);
    Object.assign(now, { state: 'waiting', questions, done: most, failed: outcomes.failed });
  }

  async function tellToPause(run: string): Promise<void> {
    told.add(run);
    // It may have ended meanwhile.
    await getExternalWorkflowHandle(workflowIdOf(run))
      .signal(pauseSignal)
      .catch(() => {});
  }
}

/** Returns the same for all repeats of a cell. */
function cellOf({ run, study }: StudyPlan['runs'][number]): string {
  const { dataset, method, model } = Object(study) as Partial<CellLabels>;
  return JSON.stringify(method === undefined ? [run] : [dataset, method, model]);
}

/** Tells whether a run was not begun, since it is asked with something else than what is kept of it. */
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

/** Rounds that a run may be ahead of the slowest. */
const AHEAD = 1;

/** Some nine events each: far below the 51,200 that Temporal allows. */
const ROUNDS_PER_HISTORY = 1000;

function openingStanding({ runs, budgetUsd }: StudyPlan): Standing {
  return {
    startedAt: Date.now(),
    pause: null,
    budgetUsd: budgetUsd ?? null,
    spentUsd: 0,
    knownUsd: 0,
    looked: 0,
    money: runs.map(() => noMoney),
    runs: runs.map(({ run }) => {
      return { run, state: 'waiting', rounds: 0, questions: 0, done: 0, failed: 0 };
    }),
  };
}

/** Questions of the first round: enough to see that all cells work. */
const FIRST = 20;
/** The longest step, so that no cell is far ahead of another. */
const WIDEST = 500;

/** Returns how many of its questions each run may have asked after so many rounds. */
export function askedAfter(rounds: number): number {
  let asked = 0;
  for (let round = 1; round <= rounds; round++) {
    asked += round === 1 ? FIRST : Math.min(Math.ceil(asked / 2), WIDEST);
  }
  return asked;
}
