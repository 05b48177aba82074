/** Shares the budget of a study among the rounds of its runs. Pure. */
import { dollars } from '../../core/dollars.js';
import { addCosts } from '../../core/run/costs.js';
import type { CostsSeen, RunProgress } from '../../core/run/run.js';
import type { StudyProgress } from '../../core/study/cell.js';
import { roundUsd, type Usage } from '../../core/usage.js';
import { isWithinBudget } from '../run/run-budget.js';

/** Known costs of a run. */
interface RunMoney {
  /** Known costs of its questions, in this start of the study and earlier ones. */
  costsSeen: CostsSeen;
  /** Maximum that its current round may still cost, in US dollars; 0 if none is under way. */
  reservedUsd: number;
}

/**
 * The budget and spending of a study in US dollars, and the costs of each run in the order of its
 * plan.
 */
export interface StudyCosts extends Pick<StudyProgress, 'budgetUsd' | 'spentUsd' | 'runs'> {
  /** Costs of ended rounds in US dollars, as far as prices are known. */
  knownUsd: number;
  money: RunMoney[];
  /** US dollars that are set aside and given to no round; absent if there are none. */
  setAsideUsd?: number;
}

/**
 * The US dollars that a run may spend in its next round, and the known question costs of its cell.
 */
export interface RoundShare {
  /** Maximum that it may spend, in US dollars; left out without a budget. */
  budgetUsd?: number;
  /** Costs of the questions of its cell. */
  costsSeen: CostsSeen;
}

/** The costs of a run that has not begun: no question and 0 US dollars. */
export const noCosts: RunMoney = { costsSeen: { usd: 0, questions: 0 }, reservedUsd: 0 };

/** Maximum number of runs under way before the cost of a question of their cell is known. */
const MOST_UNKNOWN = 4;

/**
 * Maximum that a round is given, as a multiple of the expected cost of its questions; the rest is
 * for the others.
 */
const MOST_EXPECTED = 2;

/**
 * The budget of a study in US dollars, divided among the rounds of its runs. A round keeps its
 * share until it ends. The study exceeds its budget at most by what some questions cost above the
 * mean of their cell.
 */
export class StudyBudget {
  /** @param cells The cell of each run, shared by its repeats. */
  constructor(
    private readonly study: StudyCosts,
    private readonly cells: string[],
  ) {}

  /**
   * Returns what a run may spend in its next round, or that it has to wait.
   *
   * The rest of the budget is divided among the waiting runs that are no further ahead, and a share
   * pays for at least one question. Until the cost of its cell is known, a run asks one question to
   * show it. At most four runs do so at a time, and each of their questions is expected to cost the
   * mean of the study.
   *
   * @param questions Questions of the round.
   */
  shareFor(at: number, questions: number): RoundShare | 'wait' {
    const { budgetUsd, runs } = this.study;
    const costsSeen = this.costsOfCell(at);
    if (budgetUsd === null) return { costsSeen };
    const each = this.expectedUsd(at);
    const free = this.freeUsd();
    if (free <= 0 || (each !== null && !isWithinBudget(each, free))) return 'wait';
    const isKnown = costsSeen.questions > 0;
    if (!isKnown && this.unknownUnderWay() >= MOST_UNKNOWN) return 'wait';
    const own = runs[at]?.rounds ?? 0;
    const waiting = runs.filter(({ state, rounds }) => state === 'waiting' && rounds <= own);
    const fair = free / Math.max(waiting.length, 1);
    // Questions that cost nothing need nothing of a share, but a share must be above 0.
    if (!each) return { budgetUsd: fair, costsSeen };
    const most = isKnown ? each * questions * MOST_EXPECTED : Infinity;
    return { budgetUsd: Math.max(Math.min(fair, most), each), costsSeen };
  }

  /**
   * Adds a run that the study did not have before.
   *
   * @param cell Key of its cell.
   */
  add(cell: string): void {
    this.cells.push(cell);
    this.study.money.push(noCosts);
  }

  /** Reserves the share of a round that begins. */
  begin(at: number, { budgetUsd = 0 }: RoundShare): void {
    this.study.money[at] = { ...this.of(at), reservedUsd: budgetUsd };
  }

  /** Records the cost of a question that a round under way has reported. */
  countQuestion(at: number, costsSeen: CostsSeen, spentUsd: number): void {
    // The question may have cost more than the share.
    const reservedUsd = Math.max(this.of(at).reservedUsd, spentUsd);
    this.study.money[at] = { costsSeen, reservedUsd };
  }

  /**
   * Counts the cost of an ended round.
   *
   * @param before Known costs of the run when the round began.
   */
  countRound(at: number, round: RunProgress, share: RoundShare, before: CostsSeen): void {
    this.countUsage(round.usage);
    if (round.judge) this.countUsage(round.judge.usage);
    const { usd, questions } = round.costsSeen ?? share.costsSeen;
    const more = {
      usd: usd - share.costsSeen.usd,
      questions: questions - share.costsSeen.questions,
    };
    this.study.money[at] = { costsSeen: addCosts(before, more), reservedUsd: 0 };
  }

  /** Adds the cost of calls to the spending of the study. */
  countUsage({ costUsd, knownUsd = 0 }: Pick<Usage, 'costUsd' | 'knownUsd'>): void {
    const { spentUsd } = this.study;
    this.study.spentUsd =
      spentUsd === null || costUsd === null ? null : roundUsd(spentUsd + costUsd);
    this.study.knownUsd = roundUsd(this.study.knownUsd + (costUsd ?? knownUsd));
  }

  /**
   * Returns whether the free part of the budget pays for a sum.
   *
   * @param usd US dollars; null if the price is unknown.
   */
  covers(usd: number | null): boolean {
    return this.study.budgetUsd === null || (usd !== null && usd <= this.freeUsd());
  }

  /**
   * Returns the part of the budget that is not spent, reserved for a round or set aside, in US
   * dollars.
   */
  private freeUsd(): number {
    const { budgetUsd, knownUsd, money, setAsideUsd = 0 } = this.study;
    const reserved = money.reduce((sum, { reservedUsd }) => sum + reservedUsd, 0);
    return (budgetUsd ?? Infinity) - knownUsd - reserved - setAsideUsd;
  }

  /** Counts a round that failed without reporting its cost: it may have spent its whole share. */
  countFailedRound(at: number, isUnbegun: boolean): void {
    const { costsSeen, reservedUsd } = this.of(at);
    if (!isUnbegun) {
      this.study.knownUsd = roundUsd(this.study.knownUsd + reservedUsd);
      this.study.spentUsd = null;
    }
    this.study.money[at] = { costsSeen, reservedUsd: 0 };
  }

  /**
   * Returns the message of a study whose waiting runs cannot continue. The sum spent is shown
   * beside it.
   */
  spentMessage(waiting: readonly number[]): string {
    const budget = `The budget of ${dollars(this.study.budgetUsd ?? 0)} is spent`;
    const costs = waiting.flatMap((at) => this.expectedUsd(at) ?? []);
    const one = `, and one more question costs about ${dollars(Math.min(...costs))}`;
    return `${budget}${costs.length > 0 ? one : ''}. Set a larger one and resume.`;
  }

  /** Returns the known costs of a run. */
  of(at: number): RunMoney {
    return this.study.money[at] ?? noCosts;
  }

  /**
   * Returns the expected cost of a question in US dollars: the mean of its cell, else of the study;
   * null if unknown.
   */
  private expectedUsd(at: number): number | null {
    return meanOf(this.costsOfCell(at)) ?? meanOf(sumOf(this.study.money));
  }

  private costsOfCell(at: number): CostsSeen {
    return sumOf(this.study.money.filter((_, other) => this.cells[other] === this.cells[at]));
  }

  private unknownUnderWay(): number {
    const { runs, money } = this.study;
    const isShown = ({ costsSeen }: RunMoney) => costsSeen.questions > 0;
    const known = new Set(this.cells.filter((_, at) => isShown(money[at] ?? noCosts)));
    const unknown = runs.filter(
      ({ state }, at) => state === 'running' && !known.has(this.cells[at] ?? ''),
    );
    return unknown.length;
  }
}

function sumOf(money: readonly RunMoney[]): CostsSeen {
  return money.reduce((sum, { costsSeen }) => addCosts(sum, costsSeen), noCosts.costsSeen);
}

function meanOf({ usd, questions }: CostsSeen): number | null {
  return questions > 0 ? roundUsd(usd / questions) : null;
}
