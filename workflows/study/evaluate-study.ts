/** Asks all runs of a study, breadth first, so that a part of its table is a fair one. */
import {
  ApplicationFailure,
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
} from '@temporalio/workflow';
import { dollars } from '../../core/dollars.js';
import type { RunInput, RunSpec } from '../../core/run/input.js';
import type { Pause, RunProgress } from '../../core/run/run.js';
import type {
  StudyDecision,
  StudyPlan,
  StudyProgress,
  StudyRunProgress,
  StudySettings,
} from '../../core/study/cell.js';
import { isEnded } from '../../core/study/cells.js';
import { exact } from '../../core/usage.js';
import { decideStudy } from '../run/activities.js';
import type { evaluateRun } from '../run/evaluate-run.js';
import { pauseSignal } from '../run/listen.js';
import { workflowIdOf } from '../run/run-name.js';

export const studyProgressQuery = defineQuery<StudyProgress>('progress');
/** Each update gives the progress after it. */
export const pauseStudyUpdate = defineUpdate<StudyProgress>('pause');
export const resumeStudyUpdate = defineUpdate<StudyProgress>('resume');
export const setStudyUpdate = defineUpdate<StudyProgress, [Partial<StudySettings>]>('set');

/**
 * Every run asks its questions in rounds, each a child workflow: it is told how far it may go, and
 * a run that is started again asks only what has no answer. A run is at most one round ahead of the
 * slowest, so one slow question does not hold the others. A run that cannot go on without a person
 * ends its round, and the study pauses with its reason. A study that stops where it is decided looks
 * at what is answered after each round, once all runs have ended it.
 */
export async function evaluateStudy(plan: StudyPlan): Promise<StudyProgress> {
  const { study, runs, budgetUsd, untilDecided, gate } = plan;
  const stops = untilDecided !== undefined || gate !== undefined;
  let pause: StudyProgress['pause'] = null;
  let budget = budgetUsd ?? null;
  let spentUsd: number | null = 0;
  const standing = runs.map(
    ({ run }): StudyRunProgress => ({ run, state: 'waiting', questions: 0, done: 0, failed: 0 }),
  );
  /** Rounds that each has ended; one that has finished holds nobody. */
  const ended = runs.map(() => 0);
  /** Rounds after which it was looked at what is decided. */
  let looked = 0;
  let decisions: StudyDecision[] | undefined;

  const progress = (): StudyProgress => {
    const isOver = standing.every(isEnded);
    const state = isOver ? 'finished' : pause && !isUnderWay() ? 'paused' : 'running';
    return {
      study,
      state,
      pause,
      budgetUsd: budget,
      spentUsd,
      runs: standing,
      ...(decisions && { decisions }),
    };
  };
  const isUnderWay = () => standing.some(({ state }) => state === 'running');
  setHandler(studyProgressQuery, progress);
  setHandler(pauseStudyUpdate, async () => {
    pause ??= { reason: 'user', message: 'Paused until it is resumed.' };
    const under = standing.filter(({ state }) => state === 'running');
    await Promise.all(under.map(({ run }) => tellToPause(run)));
    return progress();
  });
  setHandler(resumeStudyUpdate, () => {
    pause = null;
    return progress();
  });
  setHandler(setStudyUpdate, (change) => {
    if (change.budgetUsd !== undefined) budget = change.budgetUsd;
    return progress();
  });

  // Where it is cancelled, it ends after the last of its runs.
  const asked = await Promise.allSettled([
    ...runs.map((_, at) => askAll(at)),
    ...(stops ? [lookAfterRounds()] : []),
  ]);
  for (const one of asked) if (one.status === 'rejected') throw one.reason;
  return progress();

  async function askAll(at: number): Promise<void> {
    const now = standing[at] as StudyRunProgress;
    // What has failed is asked again once in a start of the study.
    let retryFrom = 0;
    for (const upTo of roundsOf()) {
      if (stops) await condition(() => isEnded(now) || (ended[at] ?? 0) <= looked);
      if (isEnded(now)) return;
      while (!(await askedUpTo(at, { upTo, retryFrom }))) await condition(() => pause === null);
      ended[at] = (ended[at] ?? 0) + 1;
      if (now.state === 'failed' || upTo >= now.questions) break;
      now.state = 'waiting';
      retryFrom = upTo;
    }
    if (now.state !== 'failed') now.state = 'finished';
  }

  /** Looks at what is decided each time that all runs have ended a round. */
  async function lookAfterRounds(): Promise<void> {
    while (!standing.every(isEnded)) {
      await condition(() => standing.every((one, i) => isEnded(one) || (ended[i] ?? 0) > looked));
      while (!(await look())) await condition(() => pause === null);
      looked++;
    }
  }

  /** Returns false where the answers could not be read: the study has paused. */
  async function look(): Promise<boolean> {
    const now = runs.map(({ run, study: of }, i) => {
      return { run, study: of as RunSpec['study'], hasFailed: standing[i]?.state === 'failed' };
    });
    const rule = { ...(untilDecided && { untilDecided }), ...(gate && { gate }) };
    const leftUsd = budget === null || spentUsd === null ? undefined : budget - spentUsd;
    try {
      const given = { study, ...rule, runs: now, ...(leftUsd !== undefined && { leftUsd }) };
      const found = await decideStudy(given);
      decisions = found.decisions;
      for (const one of standing) {
        if (one.state === 'waiting' && found.over.includes(one.run)) one.state = 'decided';
      }
      return true;
    } catch (error) {
      if (CancellationScope.current().consideredCancelled) throw error;
      if (!(error instanceof TemporalFailure)) throw error;
      pause ??= { reason: 'decision', message: rootCause(error) ?? error.message };
      return false;
    }
  }

  /** Returns false where the round ended before its questions did. */
  async function askedUpTo(
    at: number,
    part: Required<Pick<RunInput, 'retryFrom' | 'upTo'>>,
  ): Promise<boolean> {
    const now = standing[at] as StudyRunProgress;
    await condition(() => pause === null && (ended[at] ?? 0) <= slowest() + AHEAD);
    const share = shareOf(budget, spentUsd);
    if (share !== null && share <= 0) {
      pause = { reason: 'budget', message: budgetMessage(budget, spentUsd) };
      return false;
    }
    now.state = 'running';
    setCurrentDetails(describe(progress()));
    const before = now.done;
    try {
      const { run } = now;
      const input = { ...runs[at], ...part, endsAtPause: true, ...(share && { budgetUsd: share }) };
      const asked = await executeChild<typeof evaluateRun>('evaluateRun', {
        workflowId: workflowIdOf(run),
        args: [input as unknown as RunInput],
        parentClosePolicy: 'REQUEST_CANCEL',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      });
      settle(now, asked);
      if (asked.pause) hold(asked.pause, now.done > before);
      return asked.pause === null;
    } catch (error) {
      if (CancellationScope.current().consideredCancelled) throw error;
      // Somebody may have started the run by itself.
      if (!(error instanceof TemporalFailure)) throw error;
      const message = rootCause(error) ?? error.message;
      if (now.questions > 0 && isConflict(error)) {
        // The workers have changed since its last round.
        now.state = 'waiting';
        pause ??= { reason: 'RunMismatch', message, run: now.run };
        return false;
      }
      Object.assign(now, { state: 'failed', failure: message });
      return true;
    }
  }

  function settle(now: StudyRunProgress, asked: RunProgress): void {
    const { questions, done, outcomes, usage, judge } = asked;
    Object.assign(now, { state: 'waiting', questions, done, failed: outcomes.failed });
    const costs = [usage.costUsd, judge ? judge.usage.costUsd : 0];
    for (const cost of costs) {
      spentUsd = spentUsd === null || cost === null ? null : exact(spentUsd + cost);
    }
  }

  /** Pauses the study where a run had to pause for a person. */
  function hold({ reason, message }: Pause, hasAsked: boolean): void {
    // Others may have spent less than their share: the round goes on with a new one.
    const isLeft = budget !== null && (spentUsd ?? 0) < budget * (1 - LAST_SHARE);
    if (reason === 'budget' && hasAsked && isLeft) return;
    pause ??=
      reason === 'budget'
        ? { reason, message: budgetMessage(budget, spentUsd) }
        : { reason, message };
  }

  /** Of the budget, what each run that is not over may spend now. */
  function shareOf(all: number | null, spent: number | null): number | null {
    if (all === null) return null;
    return (all - (spent ?? 0)) / Math.max(standing.filter((one) => !isEnded(one)).length, 1);
  }

  function slowest(): number {
    return Math.min(...ended.filter((_, at) => !isEnded(standing[at] as StudyRunProgress)));
  }

  async function tellToPause(run: string): Promise<void> {
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

function budgetMessage(budget: number | null, spent: number | null): string {
  return `The budget of ${dollars(budget ?? 0)} is spent: ${dollars(spent ?? 0)}. Set a larger one and resume.`;
}

/** Returns one line for the Temporal UI. */
function describe({ runs, spentUsd, pause }: StudyProgress): string {
  const over = runs.filter(isEnded).length;
  const done = runs.reduce((sum, run) => sum + run.done, 0);
  const cost = spentUsd === null ? 'an unknown cost' : dollars(spentUsd);
  return `${over} of ${runs.length} runs ended, ${done} questions done; ${cost}${pause ? `; paused: ${pause.message}` : ''}`;
}

/** Questions of the first round: enough to see that all cells work. */
const FIRST = 20;
/** The longest step, so that no cell is far ahead of another. */
const WIDEST = 500;

/** Gives how many of its questions each run may have asked after each round; without an end. */
export function* roundsOf(): Generator<number> {
  for (let upTo = FIRST; ; upTo += Math.min(Math.ceil(upTo / 2), WIDEST)) yield upTo;
}
