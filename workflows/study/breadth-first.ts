/**
 * The asking order of a study: all runs breadth first, so that its unfinished table compares them
 * fairly, and each run until its comparisons are decided.
 */
import { condition } from '@temporalio/workflow';
import type { RunSpec } from '../../core/run/input.js';
import type { StudyRunProgress } from '../../core/study/cell.js';
import { isEnded } from '../../core/study/cell-progress.js';
import type { StudyPlan } from '../../core/study/plan.js';
import { decideStudy } from '../run/activities.js';
import {
  type AskingOrder,
  type StudyRounds,
  type StudyRunInput,
  settleAll,
} from './study-rounds.js';
import type { StudyState } from './study-state.js';

/** Maximum number of rounds that a run may be ahead of the slowest. */
const AHEAD = 1;
/**
 * Number of questions in the first round of each run of a study that asks its runs in rounds: 20,
 * enough to see that every cell works.
 */
export const FIRST_ROUND = 20;
/** Maximum number of questions added in a round, so that no cell is far ahead of another. */
const WIDEST = 500;

/**
 * An asking order that asks all runs of a study in rounds, so that no run gets more than a round
 * ahead of the slowest. It says which run may begin its next round, and up to how many questions.
 * If the study ends what is decided, it checks the decisions after each round.
 */
export class BreadthFirst implements AskingOrder {
  /** Whether the answers are checked after each round, to end what is decided. */
  private readonly isChecked: boolean;

  constructor(
    private readonly plan: StudyPlan,
    private readonly state: StudyState,
  ) {
    this.isChecked = plan.untilDecided !== undefined || plan.gate !== undefined;
  }

  get inputs(): readonly StudyRunInput[] {
    return this.plan.runs;
  }

  async ask(rounds: StudyRounds): Promise<void> {
    const asking = this.state.runs.map((_, at) => rounds.askRun(at));
    await settleAll(this.isChecked ? [...asking, this.checkAfterRounds(rounds)] : asking);
  }

  isOver(): boolean {
    return this.state.runs.every(isEnded);
  }

  isAsked(at: number): boolean {
    return isEnded(this.run(at));
  }

  isNext(at: number): boolean {
    const { rounds } = this.run(at);
    const slowest = Math.min(...this.state.runs.flatMap((one) => (isEnded(one) ? [] : one.rounds)));
    const isChecked = !this.isChecked || rounds <= this.state.checkedRounds;
    return rounds <= slowest + AHEAD && isChecked;
  }

  nextLimit(at: number): number {
    return askedAfter(this.run(at).rounds + 1);
  }

  nextQuestions(at: number): number {
    const { rounds } = this.run(at);
    return askedAfter(rounds + 1) - askedAfter(rounds);
  }

  endAsSpent(): boolean {
    return false;
  }

  /** Checks the decisions after each round that all runs have ended. */
  private async checkAfterRounds(rounds: StudyRounds): Promise<void> {
    const { state } = this;
    const haveAllAsked = () =>
      state.runs.every((one) => isEnded(one) || one.rounds > state.checkedRounds);
    while (!this.isOver()) {
      await condition(() => rounds.isHistoryFull() || haveAllAsked());
      if (rounds.isHistoryFull()) return;
      if (!(await rounds.orPause(() => this.checkDecisions()))) return;
      state.checkedRounds++;
    }
  }

  /** Checks which comparisons are decided. A run ends once all its comparisons are. */
  private async checkDecisions(): Promise<void> {
    const { study, untilDecided, gate } = this.plan;
    const { budgetUsd, knownUsd, runs } = this.state;
    const { decisions, over } = await decideStudy({
      study,
      ...(untilDecided && { untilDecided }),
      ...(gate && { gate }),
      runs: this.plan.runs.map(({ run, study: labels }, at) => {
        return {
          run,
          study: labels as RunSpec['study'],
          hasFailed: this.run(at).state === 'failed',
        };
      }),
      ...(budgetUsd !== null && { leftUsd: budgetUsd - knownUsd }),
    });
    this.state.decisions = decisions;
    for (const one of runs) {
      if (one.state === 'waiting' && over.includes(one.run)) one.state = 'decided';
    }
  }

  private run(at: number): StudyRunProgress {
    return this.state.runs[at] as StudyRunProgress;
  }
}

/** Returns how many of its questions a run may have asked after this many rounds. */
function askedAfter(rounds: number): number {
  let asked = 0;
  for (let round = 1; round <= rounds; round++) {
    asked += round === 1 ? FIRST_ROUND : Math.min(Math.ceil(asked / 2), WIDEST);
  }
  return asked;
}
