/** Asks the runs of a study in rounds, each a child workflow, within one budget. */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  executeChild,
  getExternalWorkflowHandle,
  rootCause,
  setCurrentDetails,
  TemporalFailure,
  workflowInfo,
} from '@temporalio/workflow';
import type { RunInput } from '../../core/run/input.js';
import type { CostsSeen, RunProgress, StartRefusal } from '../../core/run/run.js';
import type { StudyProgress, StudyRunProgress } from '../../core/study/cell.js';
import { type CellLabels, studyProgressLine, withCounts } from '../../core/study/cell-progress.js';
import type { StudyPlan } from '../../core/study/plan.js';
import type { evaluateRun } from '../run/evaluate-run.js';
import { pauseSignal } from '../run/listen.js';
import { budgetChangedText } from '../run/run-budget.js';
import { workflowIdOf } from '../run/run-name.js';
import { isOutdated, type VersionMove } from '../version.js';
import { type RoundShare, StudyBudget } from './study-budget.js';
import { isUnderWay, progressOf, type StudyState, waitingRun } from './study-state.js';

/** The input of one run in the plan of a study, not checked yet. */
export type StudyRunInput = StudyPlan['runs'][number];

/**
 * The order in which a study asks its runs, as an object that answers: which run may begin its
 * next round, up to how many questions, and whether nothing is left to ask. Runs are identified by
 * their index.
 */
export interface AskingOrder {
  /** Inputs of the runs, in the order of the state's. */
  readonly inputs: readonly StudyRunInput[];
  /** Asks everything that may be asked in this history. */
  ask(rounds: StudyRounds): Promise<void>;
  /** Returns whether nothing is left to ask. */
  isOver(): boolean;
  /** Returns whether a run has been asked all that it is to be asked for now. */
  isAsked(at: number): boolean;
  /** Returns whether the next round of a waiting run may begin beside those of the others. */
  isNext(at: number): boolean;
  /** Returns how many of its questions a run has been asked after its next round; null for all. */
  nextLimit(at: number): number | null;
  /** Returns about how many questions the next round of a run asks; at least 1. */
  nextQuestions(at: number): number;
  /** Called after a round that asked all it was to ask. */
  roundEnded?(at: number): void;
  /**
   * Whether the study pauses at a run that differs from the stored run of its name, even before the
   * run's first round.
   */
  readonly needsEachRun?: boolean;
  /** Ends the asking when no round can be paid for. Returns false if the study has to pause. */
  endAsSpent(): boolean;
}

/** Limits of one history of a study. */
interface HistoryLimits {
  /** Maximum number of rounds begun in it. */
  rounds: number;
  moved: VersionMove;
}

/**
 * The rounds of a study's runs, each a child workflow, within the budget. An `AskingOrder` decides
 * which run is next.
 */
export class StudyRounds {
  readonly budget: StudyBudget;
  /** Rounds begun in this history. */
  private begun = 0;
  /** Runs that were asked to end their round since the study was paused. */
  private readonly pausedRuns = new Set<string>();

  constructor(
    private readonly study: string,
    private readonly state: StudyState,
    private readonly order: AskingOrder,
    private readonly limits: HistoryLimits,
  ) {
    this.budget = new StudyBudget(state, order.inputs.map(cellOf));
  }

  /** Returns the progress of the study. */
  progress(): StudyProgress {
    return progressOf(this.study, this.state, this.order.isOver());
  }

  /** Returns whether no more rounds may begin in this history. */
  isHistoryFull(): boolean {
    const { rounds, moved } = this.limits;
    return this.begun >= rounds || workflowInfo().continueAsNewSuggested || isOutdated(moved);
  }

  /** Adds a run that the study did not have before. The order has its input. */
  add(input: StudyRunInput): void {
    this.state.runs.push(waitingRun(input.run));
    this.budget.add(cellOf(input));
  }

  /** Asks the rounds of a run, as long as they may begin in this history. */
  async askRun(at: number): Promise<void> {
    for (;;) {
      const isDone = () => this.isHistoryFull() || this.order.isAsked(at);
      // A run continues if the budget covers its round, or if it is certain that it never will.
      const canGoOn = () => this.isDue(at) && (this.shareOf(at) !== 'wait' || this.isSpent());
      await condition(() => isDone() || canGoOn());
      if (isDone()) return;
      // Another run may have begun in the meantime with what was left.
      if (!canGoOn()) continue;
      const share = this.shareOf(at);
      if (share !== 'wait') await this.askRound(at, share);
      else if (!this.order.endAsSpent()) this.pauseAsSpent();
    }
  }

  /** Returns whether the next round of a run may begin if there is money for it. */
  private isDue(at: number): boolean {
    const isReady = this.run(at).state === 'waiting' && this.state.pause === null;
    // Updates are answered first, so that the order does not depend on how long their tracing takes.
    return isReady && this.order.isNext(at) && allHandlersFinished();
  }

  private shareOf(at: number): RoundShare | 'wait' {
    return this.budget.shareFor(at, this.order.nextQuestions(at));
  }

  /**
   * Returns whether no round is under way and none that is due can be paid for. The sum is then
   * final.
   */
  private isSpent(): boolean {
    return !isUnderWay(this.state) && this.dueRuns().every((at) => this.shareOf(at) === 'wait');
  }

  private dueRuns(): number[] {
    return this.state.runs.flatMap((_, at) => (this.isDue(at) ? [at] : []));
  }

  private pauseAsSpent(): void {
    this.state.pause = { reason: 'budget', message: this.budget.spentMessage(this.dueRuns()) };
  }

  /**
   * Asks a round. One that ends before its questions do is asked again with what is left of the
   * budget.
   */
  private async askRound(at: number, share: RoundShare): Promise<void> {
    const run = this.run(at);
    const { costsSeen } = this.budget.of(at);
    const limit = this.order.nextLimit(at);
    this.begun++;
    run.state = 'running';
    this.budget.begin(at, share);
    setCurrentDetails(studyProgressLine(this.progress()));
    try {
      const asked = await this.executeRound(at, share, limit);
      Object.assign(run, withCounts(run, asked), { state: 'waiting' });
      this.budget.countRound(at, asked, share, costsSeen);
      if (this.isPausedBefore(run, asked)) return;
      run.rounds++;
      this.order.roundEnded?.(at);
      if (limit === null || limit >= run.questions) run.state = 'finished';
    } catch (error) {
      this.countFailedRound(at, error);
    }
  }

  private executeRound(at: number, share: RoundShare, limit: number | null): Promise<RunProgress> {
    const input = {
      ...this.order.inputs[at],
      // Failed questions are asked again once in each start of the study.
      retryBefore: this.state.startedAt,
      ...(limit !== null && { upTo: limit }),
      endsAtPause: true,
      ...share,
    };
    return executeChild<typeof evaluateRun>('evaluateRun', {
      workflowId: workflowIdOf(this.run(at).run),
      args: [input as RunInput],
      parentClosePolicy: 'REQUEST_CANCEL',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    });
  }

  /**
   * Returns whether a round has paused before its end. If a person has to resolve the cause, the
   * study pauses too.
   */
  private isPausedBefore({ run }: StudyRunProgress, { pause }: RunProgress): boolean {
    // The study may have been resumed before the round that it had paused ended.
    if (this.pausedRuns.delete(run) && pause?.reason === 'user') return true;
    // Its share is spent, and the others may have left something.
    if (pause?.reason === 'budget') return true;
    if (!pause) return false;
    this.state.pause ??= { reason: pause.reason, message: pause.message };
    return true;
  }

  private countFailedRound(at: number, error: unknown): void {
    if (CancellationScope.current().consideredCancelled) throw error;
    // The run may have been started outside the study.
    if (!(error instanceof TemporalFailure)) throw error;
    this.budget.countFailedRound(at, isUnbegun(error));
    const run = this.run(at);
    const message = rootCause(error) ?? error.message;
    const isNeeded = run.questions > 0 || this.order.needsEachRun;
    if (isNeeded && isConflict(error)) {
      // The workers have changed since its last round.
      run.state = 'waiting';
      this.state.pause ??= { reason: 'RunMismatch', message, run: run.run };
    } else {
      run.state = 'failed';
      run.failure = message;
    }
  }

  /**
   * Runs work whose failure a person may have to resolve. If it fails, the study pauses, and the
   * work is repeated after a resume. Returns false if this history has to end first.
   *
   * @param isFinal Returns whether an error ends the study, since nobody can resolve it.
   */
  async orPause(
    work: () => Promise<void>,
    isFinal: (error: TemporalFailure) => boolean = () => false,
  ): Promise<boolean> {
    for (;;) {
      try {
        await work();
        return true;
      } catch (error) {
        if (CancellationScope.current().consideredCancelled) throw error;
        if (!(error instanceof TemporalFailure) || isFinal(error)) throw error;
        this.state.pause ??= { reason: 'decision', message: rootCause(error) ?? error.message };
      }
      await this.resumed();
      if (this.isHistoryFull()) return false;
    }
  }

  /** Resolves once nothing is paused, or this history has to end. */
  async resumed(): Promise<void> {
    await condition(() => this.isHistoryFull() || this.state.pause === null);
  }

  /** Begins no more rounds, and asks those under way to end. */
  async pause(): Promise<void> {
    this.state.pause ??= { reason: 'user', message: 'Paused until it is resumed.' };
    const running = this.state.runs.filter(({ state }) => state === 'running');
    await Promise.all(running.map(({ run }) => this.endRound(run)));
  }

  private async endRound(run: string): Promise<void> {
    this.pausedRuns.add(run);
    // The round may have ended in the meantime.
    await getExternalWorkflowHandle(workflowIdOf(run))
      .signal(pauseSignal)
      .catch(() => {});
  }

  /** Ends the pause. */
  resume(): void {
    this.state.pause = null;
  }

  /** Changes the budget. A study that has spent the old one stays paused until it is resumed. */
  setBudget(budgetUsd: number | null): void {
    this.state.budgetUsd = budgetUsd;
    if (this.state.pause?.reason !== 'budget') return;
    this.state.pause.message = budgetChangedText(budgetUsd);
  }

  /** Counts the cost of a question that a round has reported before its end. */
  countQuestion(run: string, costsSeen: CostsSeen, spentUsd: number): void {
    const at = this.state.runs.findIndex((one) => one.run === run);
    // The run's round may have ended in the meantime.
    if (this.state.runs[at]?.state === 'running') {
      this.budget.countQuestion(at, costsSeen, spentUsd);
    }
  }

  private run(at: number): StudyRunProgress {
    return this.state.runs[at] as StudyRunProgress;
  }
}

/** Returns a key of the cell of a run, the same for all its repeats. */
function cellOf({ run, study }: StudyRunInput): string {
  const { dataset, method, model } = Object(study) as Partial<CellLabels>;
  return JSON.stringify(method === undefined ? [run] : [dataset, method, model]);
}

/** Returns whether a run was refused because it differs from what is stored of it. */
function isConflict({ cause }: TemporalFailure): boolean {
  return cause instanceof ApplicationFailure && cause.type === 'Conflict';
}

/** Returns whether a round failed before it could pay for anything. */
function isUnbegun(error: TemporalFailure): boolean {
  if (!(error.cause instanceof ApplicationFailure)) {
    return error instanceof WorkflowExecutionAlreadyStartedError;
  }
  return (Object(error.cause.details?.[0]) as StartRefusal).unbegun === true;
}

/**
 * Waits until all promises have settled. Then throws the error of the first in the list that
 * failed, if one did; otherwise returns nothing.
 */
export async function settleAll(all: readonly Promise<void>[]): Promise<void> {
  const ended = await Promise.allSettled(all);
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}
