/**
 * The asking order of a tune: step by step, the answers so far decide which runs are asked next.
 */
import {
  ApplicationFailure,
  executeChild,
  type TemporalFailure,
  workflowInfo,
} from '@temporalio/workflow';
import { dollars } from '../../core/dollars.js';
import type { FailureType } from '../../core/failure.js';
import { isEnded } from '../../core/study/cell-progress.js';
import type { StudyPlan, TuneRun } from '../../core/study/plan.js';
import type { TunePlan } from '../../core/tune/tune-runs.js';
import type { Usage } from '../../core/usage.js';
import { advanceTune, checkTune } from '../run/activities.js';
import { FIRST_ROUND } from './breadth-first.js';
import type { proposePrompts } from './propose-prompts.js';
import {
  type AskingOrder,
  type StudyRounds,
  type StudyRunInput,
  settleAll,
} from './study-rounds.js';
import type { StudyState, TuneState } from './study-state.js';

/** Number of asked questions that is recorded for a run which was asked all of its questions. */
const ALL = Number.MAX_SAFE_INTEGER;

/**
 * The asking order of a tune: first the runs of its search, on one half of the questions (A), then
 * those of its confirmation, on the other half (B).
 */
export class TuneSteps implements AskingOrder {
  /**
   * True, since the name of a run follows from its input: one that differs was begun before the
   * workers changed.
   */
  readonly needsEachRun = true;

  constructor(
    private readonly tune: NonNullable<StudyPlan['tune']>,
    private readonly state: StudyState,
    private readonly tuning: TuneState,
  ) {}

  get inputs(): readonly StudyRunInput[] {
    return this.tuning.runs.map(({ input }) => input);
  }

  async ask(rounds: StudyRounds): Promise<void> {
    await rounds.resumed();
    if (this.state.setAsideUsd === undefined && !rounds.isHistoryFull()) {
      await rounds.orPause(() => this.setAside(), isRefusal);
    }
    while (!this.tuning.isOver && !rounds.isHistoryFull()) {
      await rounds.resumed();
      if (!rounds.isHistoryFull()) await rounds.orPause(() => this.advance(rounds), isRefusal);
      await settleAll(this.state.runs.map((_, at) => rounds.askRun(at)));
    }
  }

  /** Checks that the goal can be decided, and sets aside what its confirmation takes. */
  private async setAside(): Promise<void> {
    this.state.setAsideUsd = (await checkTune(this.tune)) ?? 0;
  }

  /** Determines from the answers so far which runs are asked next, and how far. */
  private async advance(rounds: StudyRounds): Promise<void> {
    const { state, tuning } = this;
    const asked = tuning.runs.filter((one) => one.asked > 0);
    const step = await advanceTune({
      tune: this.proposedSoFar(),
      failed: state.runs.flatMap((one) => (one.state === 'failed' ? [one.run] : [])),
      asked: Object.fromEntries(asked.map((one) => [one.input.run, one.asked])),
      stopped: tuning.stopped,
    });
    if (step.proposed) tuning.proposed = step.proposed;
    tuning.canStop = step.canStop;
    if (this.pausesAtLost(step.ask)) return;
    if (step.propose) return this.propose(step.propose.mostUsd, rounds);
    if (step.decisions.length > 0) state.decisions = step.decisions;
    tuning.confirms = step.confirms;
    if (step.confirms) state.setAsideUsd = 0;
    tuning.isOver = step.ask.length === 0;
    for (const next of step.ask) this.askNext(next, rounds);
    this.endOthers(step.ask);
  }

  /** Returns the tune with the prompts that were written for it so far. */
  private proposedSoFar(): TunePlan {
    const { proposed } = this.tuning;
    return { ...this.tune, ...(proposed && { proposed }) };
  }

  /**
   * Has a round of prompts written. If what is not set aside does not pay for it, the search ends with
   * what it has asked; before it has asked anything, the tune pauses.
   */
  private async propose(mostUsd: number | null, { budget }: StudyRounds): Promise<void> {
    const { state, tuning } = this;
    if (!budget.covers(mostUsd)) {
      if (!this.endAsSpent()) state.pause = { reason: 'budget', message: tooLittleFor(mostUsd) };
      return;
    }
    const { proposed = [] } = tuning;
    try {
      const round = await executeChild<typeof proposePrompts>('proposePrompts', {
        workflowId: `${workflowInfo().workflowId}/prompts-${proposed.length + 1}`,
        args: [this.proposedSoFar()],
        parentClosePolicy: 'REQUEST_CANCEL',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      });
      budget.countUsage(round.usage);
      tuning.proposed = [...proposed, round];
    } catch (error) {
      const usage = usageOf(error);
      if (usage) budget.countUsage(usage);
      throw error;
    }
  }

  /**
   * Pauses if all that is asked next was asked before: the start could not be asked, or answers are
   * gone. Each is asked again after a resume.
   */
  private pausesAtLost(next: readonly TuneRun[]): boolean {
    const { state, tuning } = this;
    const lost = next.map(({ input }) => state.runs.findIndex(({ run }) => run === input.run));
    const isLost = (at: number, i: number) =>
      at >= 0 && this.isAsked(at) && tuning.runs[at]?.questions === next[i]?.questions;
    if (lost.length === 0 || !lost.every(isLost)) return false;
    for (const at of lost) {
      const one = state.runs[at];
      const tuned = tuning.runs[at];
      if (!one || !tuned) continue;
      const message = one.failure ?? `The answers of the run "${one.run}" are gone.`;
      state.pause ??= { reason: 'decision', message, run: one.run };
      one.state = 'waiting';
      delete one.failure;
      tuned.asked = 0;
    }
    return true;
  }

  private askNext(next: TuneRun, rounds: StudyRounds): void {
    const at = this.tuning.runs.findIndex(({ input }) => input.run === next.input.run);
    const [known, one] = [this.tuning.runs[at], this.state.runs[at]];
    if (known && one) {
      known.questions = next.questions;
      // Another one has failed in the meantime, so it goes further after all.
      if (one.state === 'decided') one.state = 'waiting';
    } else {
      this.tuning.runs.push({ ...next, asked: 0 });
      rounds.add(next.input);
    }
  }

  /** Ends the waiting runs that are not asked next: those candidates go no further. */
  private endOthers(next: readonly TuneRun[]): void {
    for (const one of this.state.runs) {
      const isNext = next.some(({ input }) => input.run === one.run);
      if (one.state === 'waiting' && !isNext) one.state = 'decided';
    }
  }

  isOver(): boolean {
    return this.tuning.isOver;
  }

  isAsked(at: number): boolean {
    const run = this.state.runs[at];
    return !run || isEnded(run) || this.isStepDone(at);
  }

  isNext(at: number): boolean {
    return !this.isStepDone(at);
  }

  nextLimit(at: number): number | null {
    return this.tuning.runs[at]?.questions ?? null;
  }

  nextQuestions(at: number): number {
    const { asked = 0, questions = null } = this.tuning.runs[at] ?? {};
    const all = questions ?? (this.state.runs[at]?.questions || FIRST_ROUND);
    return Math.max(1, all - asked);
  }

  roundEnded(at: number): void {
    const one = this.tuning.runs[at];
    if (one) one.asked = one.questions ?? ALL;
  }

  /**
   * Ends the search with what it has asked; the confirmation is paid for by what was set aside.
   * Returns false if nothing was asked yet or nothing is set aside.
   */
  endAsSpent(): boolean {
    if (!this.tuning.canStop || !this.hasSetAside()) return false;
    this.tuning.stopped = true;
    return true;
  }

  /** Returns whether a run has been asked what its step asks. */
  private isStepDone(at: number): boolean {
    const { asked = 0, questions = null } = this.tuning.runs[at] ?? {};
    const isSearchOver = this.tuning.stopped && this.hasSetAside();
    return isSearchOver || asked >= (questions ?? ALL);
  }

  private hasSetAside(): boolean {
    return (this.state.setAsideUsd ?? 0) > 0;
  }
}

function tooLittleFor(mostUsd: number | null): string {
  const most = mostUsd === null ? 'of unknown cost' : `at most ${dollars(mostUsd)}`;
  return `The budget leaves too little to have prompts written, ${most}. Set a larger one and resume.`;
}

/** Returns the usage of a failed round of proposals; undefined if it is not known. */
function usageOf(error: unknown): Usage | undefined {
  const { cause } = Object(error) as { cause?: unknown };
  const [detail] = cause instanceof ApplicationFailure ? (cause.details ?? []) : [];
  return (Object(detail) as { usage?: Usage }).usage;
}

/** Returns whether an error ends the tune, since no repair of the workers would help. */
function isRefusal({ cause }: TemporalFailure): boolean {
  const refusals: readonly FailureType[] = ['BadInput', 'UnknownRun'];
  return cause instanceof ApplicationFailure && refusals.includes(cause.type as FailureType);
}
