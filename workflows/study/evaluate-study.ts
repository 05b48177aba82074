/** Asks all runs of a study, breadth first, so that a part of its table is a fair one. */
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
import type { Pause, RunProgress } from '../../core/run/run.js';
import type {
  StudyPlan,
  StudyProgress,
  StudyRunProgress,
  StudySettings,
} from '../../core/study/cell.js';
import { isEnded, standingLine } from '../../core/study/cells.js';
import { exact } from '../../core/usage.js';
import { decideStudy } from '../run/activities.js';
import type { evaluateRun } from '../run/evaluate-run.js';
import { pauseSignal } from '../run/listen.js';
import { workflowIdOf } from '../run/run-name.js';
import { takenIn } from '../taken-in.js';
import { continueOnCurrent, isOutdated, type Moved, movingFrom } from '../version.js';

export const studyProgressQuery = defineQuery<StudyProgress>('progress');
/** Each update gives the progress after it. */
export const pauseStudyUpdate = defineUpdate<StudyProgress>('pause');
export const resumeStudyUpdate = defineUpdate<StudyProgress>('resume');
export const setStudyUpdate = defineUpdate<StudyProgress, [Partial<StudySettings>]>('set');

/** Where a study stands; goes from one of its histories to the next. */
interface Standing extends Omit<StudyProgress, 'study' | 'state'> {
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
  let begun = 0;
  /** Runs whose round ends since the study was paused. */
  const told = new Set<string>();

  const progress = (): StudyProgress => {
    const { looked, ...shown } = standing;
    const isOver = runs.every(isEnded);
    const state = isOver ? 'finished' : standing.pause && !isUnderWay() ? 'paused' : 'running';
    return { study, state, ...shown };
  };
  const isUnderWay = () => runs.some(({ state }) => state === 'running');
  setHandler(studyProgressQuery, progress);
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
    if (change.budgetUsd !== undefined) standing.budgetUsd = change.budgetUsd;
    return progress();
  });

  // Where it is cancelled, it ends after the last of its runs.
  const asked = await Promise.allSettled([
    ...runs.map((run, at) => askAll(run, plan.runs[at])),
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
  async function askAll(now: StudyRunProgress, input: object | undefined): Promise<void> {
    for (;;) {
      await condition(() => isLong() || isEnded(now) || mayAsk(now));
      if (isLong() || isEnded(now)) return;
      await askRound(now, input);
    }
  }

  function mayAsk({ rounds }: StudyRunProgress): boolean {
    const slowest = Math.min(...runs.filter((one) => !isEnded(one)).map((one) => one.rounds));
    const isDue = rounds <= slowest + AHEAD && (!stops || rounds <= standing.looked);
    // Updates are answered first, whatever traces of them take: a history tells the order.
    return isDue && standing.pause === null && allHandlersFinished();
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
    const { budgetUsd, spentUsd } = standing;
    const leftUsd = budgetUsd === null || spentUsd === null ? undefined : budgetUsd - spentUsd;
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

  /** A round that ended before its questions did is asked again. */
  async function askRound(now: StudyRunProgress, given: object | undefined): Promise<void> {
    const share = shareOf(standing);
    if (share !== null && share <= 0) {
      standing.pause = { reason: 'budget', message: budgetMessage(standing) };
      return;
    }
    begun++;
    now.state = 'running';
    setCurrentDetails(standingLine(progress()));
    const doneBefore = now.done;
    // What has failed is asked again once in a start of the study.
    const [retryFrom, upTo] = [askedAfter(now.rounds), askedAfter(now.rounds + 1)];
    try {
      const part = { retryFrom, upTo, endsAtPause: true, ...(share && { budgetUsd: share }) };
      const asked = await executeChild<typeof evaluateRun>('evaluateRun', {
        workflowId: workflowIdOf(now.run),
        args: [{ ...given, ...part } as RunInput],
        parentClosePolicy: 'REQUEST_CANCEL',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      });
      settle(now, asked);
      // The study may have been resumed before the round that it had paused came to its end.
      const isTold = told.delete(now.run) && asked.pause?.reason === 'user';
      if (isTold && standing.pause === null) return;
      if (asked.pause) return hold(asked.pause, now.done > doneBefore);
      now.rounds++;
      if (upTo >= now.questions) now.state = 'finished';
    } catch (error) {
      if (CancellationScope.current().consideredCancelled) throw error;
      // Somebody may have started the run by itself.
      if (!(error instanceof TemporalFailure)) throw error;
      const message = rootCause(error) ?? error.message;
      if (now.questions > 0 && isConflict(error)) {
        // The workers have changed since its last round.
        now.state = 'waiting';
        standing.pause ??= { reason: 'RunMismatch', message, run: now.run };
      } else Object.assign(now, { state: 'failed', failure: message });
    }
  }

  function settle(now: StudyRunProgress, asked: RunProgress): void {
    const { questions, done, outcomes, usage, judge } = asked;
    // One that pauses may not have come to all that it has answered.
    const most = Math.max(now.done, done);
    Object.assign(now, { state: 'waiting', questions, done: most, failed: outcomes.failed });
    const costs = [usage.costUsd, judge ? judge.usage.costUsd : 0];
    for (const cost of costs) {
      const { spentUsd } = standing;
      standing.spentUsd = spentUsd === null || cost === null ? null : exact(spentUsd + cost);
    }
  }

  /** Pauses the study where a run had to pause for a person. */
  function hold({ reason, message }: Pause, hasAsked: boolean): void {
    const { budgetUsd, spentUsd } = standing;
    // Others may have spent less than their share: the round goes on with a new one.
    const isLeft = budgetUsd !== null && (spentUsd ?? 0) < budgetUsd * (1 - LAST_SHARE);
    if (reason === 'budget' && hasAsked && isLeft) return;
    const said = reason === 'budget' ? budgetMessage(standing) : message;
    standing.pause ??= { reason, message: said };
  }

  async function tellToPause(run: string): Promise<void> {
    told.add(run);
    // It may have ended meanwhile.
    await getExternalWorkflowHandle(workflowIdOf(run))
      .signal(pauseSignal)
      .catch(() => {});
  }
}

/** Tells whether a run was not begun, since it is asked with something else than what is kept of it. */
function isConflict({ cause }: TemporalFailure): boolean {
  return cause instanceof ApplicationFailure && cause.type === 'Conflict';
}

/** Of the budget: so little is not divided again, since each run asks some questions with its part. */
const LAST_SHARE = 0.1;

/** Rounds that a run may be ahead of the slowest. */
const AHEAD = 1;

/** Some nine events each: far below the 51,200 that Temporal allows. */
const ROUNDS_PER_HISTORY = 1000;

function openingStanding({ runs, budgetUsd }: StudyPlan): Standing {
  return {
    ...{ pause: null, budgetUsd: budgetUsd ?? null, spentUsd: 0, looked: 0 },
    runs: runs.map(({ run }) => {
      return { run, state: 'waiting', rounds: 0, questions: 0, done: 0, failed: 0 };
    }),
  };
}

/** Returns what each run that is not over may spend now; null without a budget. */
function shareOf({ budgetUsd, spentUsd, runs }: Standing): number | null {
  if (budgetUsd === null) return null;
  return (budgetUsd - (spentUsd ?? 0)) / Math.max(runs.filter((one) => !isEnded(one)).length, 1);
}

function budgetMessage({ budgetUsd, spentUsd }: Standing): string {
  return `The budget of ${dollars(budgetUsd ?? 0)} is spent: ${dollars(spentUsd ?? 0)}. Set a larger one and resume.`;
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
