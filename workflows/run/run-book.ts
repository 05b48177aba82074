/**
 * Keeps account of a run: what is to be asked, what was answered, and what it cost. Whether more may
 * begin is decided in run-budget.ts, what a failure means in run-pauses.ts. Pure.
 *
 * Longer than other files, since a method here is one event of a run, and all change one state.
 */

import type { QuestionFailure } from '../../core/result.js';
import {
  addCost,
  addCosts,
  addJudgeCost,
  addQuestionCost,
  NO_SPENDING,
  type PooledCosts,
  type Spending,
} from '../../core/run/costs.js';
import { addFailure, type FailureCount } from '../../core/run/failure-counts.js';
import type { RunSpec } from '../../core/run/input.js';
import type {
  CostsSeen,
  JudgeProgress,
  Pause,
  RunMetric,
  RunProgress,
  RunSettings,
  RunSums,
  Tally,
  WorkflowEnding,
} from '../../core/run/run.js';
import { settingsOf } from '../../core/run/run-settings.js';
import { addScores, addSums, addTally, NO_SUMS } from '../../core/run/sums.js';
import { addUsage, hasUsage, NO_USAGE, type Usage } from '../../core/usage.js';
import type { StoppedUsage } from '../../stores/runs/run-store.js';
import type { OpenedRun, ReadQuestions } from '../activities/run.js';
import {
  budgetGate,
  expectedUsd,
  notFreePause,
  pauseAfterChange,
  questionUsd,
  shouldReportCost,
} from './run-budget.js';
import {
  asksAgain,
  type FailedAlike,
  type FailureMeaning,
  type HeldQuestion,
  heldAlike,
  holdBack,
  isPassing,
  meaningOf,
  type PauseState,
  pauseForFailure,
  splitHeld,
  type WaitingQuestion,
  withoutFailureMark,
} from './run-pauses.js';

/**
 * The state of a run's workflow, which it carries to the next history: its input, what is still to
 * be asked, counts and sums, and its pause.
 */
export interface RunBookState extends PauseState {
  /** The spec as given until the run is opened, then with all defaults. */
  spec: RunSpec;
  state: RunProgress['state'];
  /** Set if its study shares one budget among its runs. */
  inStudy?: true;
  /** Number of questions. */
  questions: number;
  /** Custom metrics; absent if the run has none. */
  metrics?: RunMetric[];
  sums: RunSums;
  usage: Usage;
  /** Usage of answers by earlier starts. */
  earlier: Usage;
  failures: FailureCount[];
  /**
   * Usage of this start that no answer contains, since its questions were stopped or are asked
   * again; absent if there is none.
   */
  unrecorded?: Omit<StoppedUsage, 'startedAt'>;
  spending: Spending;
  /** Costs of ended questions, of this start and earlier ones. */
  seen: CostsSeen;
  /** Calls of the questions that have ended in this start, judging included; absent before the first. */
  asked?: { calls: number; questions: number };
  /**
   * Maximum number of model calls of a question; absent if its method declares no bound, or if the
   * run has a judge.
   */
  mostCalls?: number;
  /** Models assumed to be free until their endpoint reports a cost; absent if there are none. */
  assumedFree?: readonly string[];
  /**
   * Maximum number of model calls of a question; only in a run by batch whose method declares a
   * bound.
   */
  callsEach?: number;
  /**
   * Expected costs of the first questions' calls until one has ended; only in such a run with a
   * budget.
   */
  pooled?: PooledCosts;
  /** When this start began, in milliseconds since 1970. */
  startedAt: number;
  judge: JudgeProgress;
  /**
   * Set if an answer was judged, or could not be judged for a reason of its own, in this start or
   * an earlier one.
   */
  hasJudged?: true;
  /** Place of the next page of questions; null after the last. */
  from: number | null;
  /** Questions that this start may still read; absent if there is no limit. */
  left?: number;
}

/**
 * Returns the state of a run that begins.
 *
 * @param input Unchecked input.
 * @param startedAt Time of the start, in milliseconds since 1970.
 */
export function initialBookState(input: unknown, startedAt: number): RunBookState {
  const spec = Object(input) as RunSpec;
  return {
    spec,
    state: 'opening',
    pause: null,
    settings: settingsOf(spec),
    questions: 0,
    sums: NO_SUMS,
    usage: NO_USAGE,
    earlier: NO_USAGE,
    failures: [],
    spending: NO_SPENDING,
    seen: spec.costsSeen ?? { usd: 0, questions: 0 },
    ...(spec.costsSeen && { inStudy: true as const }),
    startedAt,
    waiting: [],
    held: [],
    judge: { usage: NO_USAGE, failed: 0 },
    from: 0,
    ...(spec.upTo && { left: spec.upTo }),
  };
}

/**
 * The account of a run: what is to be asked, what was answered, and what it cost. Each method
 * records one event and changes the state.
 */
export class RunBook {
  private readonly state: RunBookState;
  /** Grows with every change. */
  version = 0;

  /** @param clock Returns milliseconds since 1970. */
  constructor(
    before: RunBookState,
    private readonly clock: () => number = Date.now,
  ) {
    this.state = before;
  }

  /** The current state. */
  get standing(): Readonly<RunBookState> {
    return this.state;
  }

  /** Returns the progress to show. @param running Questions under way. */
  progress(running: number): RunProgress {
    const { spec, state, pause, settings, questions, metrics, sums, usage, judge } = this.state;
    const { earlier, failures, seen, inStudy, startedAt } = this.state;
    const hasBudget = settings.budgetUsd !== null;
    const underWayUsd = spec.transport && hasBudget ? expectedUsd(this.state, running) : null;
    return {
      run: spec.run,
      method: spec.method,
      state: state === 'running' && pause ? 'paused' : state,
      pause,
      settings,
      questions,
      running,
      ...sums,
      ...(metrics && { metrics }),
      usage,
      ...(hasUsage(earlier) && { earlier }),
      ...(failures.length > 0 && { failures }),
      ...(spec.judge !== undefined && { judge }),
      ...(underWayUsd !== null && { underWayUsd }),
      ...((hasBudget || inStudy) && { costsSeen: seen }),
      startedAt,
    };
  }

  /** Expected cost of another question, in US dollars; null if unknown. */
  get questionUsd(): number | null {
    return questionUsd(this.state);
  }

  /** Called once the input is checked and the data set read. */
  opened({ spec: input, datasetName, questions, labelled, ...known }: OpenedRun): void {
    const { metrics, callsEach, mostCalls, assumedFree } = known;
    const spec: RunSpec = { ...input, datasetName, ...(labelled && { labelled }) };
    this.change({
      spec,
      questions,
      ...(metrics && { metrics }),
      ...(callsEach !== undefined && { callsEach }),
      // The number of calls that judge an answer is not known in advance.
      ...(mostCalls !== undefined && spec.judge === undefined && { mostCalls }),
      ...(assumedFree && { assumedFree }),
      state: 'running',
    });
  }

  /** Called once every question has ended. */
  finished(): void {
    this.change({ state: 'finished', pause: null });
  }

  /** Called with each page of questions; it leaves out those finished by an earlier start. */
  read(page: ReadQuestions): void {
    const { waiting, sums, spec, seen, earlier } = this.state;
    const { costsSeen, hasJudged } = page;
    // Costs that a study reported for its cells already include these.
    const isNews = costsSeen && !spec.costsSeen?.questions;
    const left = this.state.left === undefined ? undefined : this.state.left - page.read;
    this.change({
      waiting: [...waiting, ...page.questions],
      sums: addSums(sums, page.kept),
      earlier: addUsage(earlier, page.earlier ?? NO_USAGE),
      ...(isNews && { seen: addCosts(seen, costsSeen) }),
      ...(hasJudged && { hasJudged }),
      ...(left !== undefined && { left }),
      from: left === 0 ? null : page.next,
    });
  }

  /** Whether nothing more begins until a person resumes the run. */
  get needsPerson(): boolean {
    const { pause } = this.state;
    return pause !== null && !isPassing(pause);
  }

  /** Whether the next questions may be read, or one of them be probed. */
  get mayRead(): boolean {
    const { pause } = this.state;
    return !pause || (pause.nextProbe !== undefined && pause.nextProbe <= this.clock());
  }

  /**
   * Returns the next question if one may begin; pauses the run if the budget is spent. In an outage
   * the questions under way show whether it is over; after them, one question at a time does.
   *
   * @param widest Upper bound of questions under way, whatever the settings.
   */
  next(running: number, widest = Infinity): WaitingQuestion | undefined {
    const { waiting, pause, settings } = this.state;
    const [first, ...rest] = waiting;
    if (!first || running >= Math.min(settings.concurrency, widest)) return undefined;
    if (pause && (running > 0 || !this.mayRead)) return undefined;
    const gate = budgetGate(this.state, settings.budgetUsd, running);
    if (gate === 'wait') return undefined;
    if (gate !== 'begin') {
      this.change({ pause: this.since(gate) });
      return undefined;
    }
    this.change({ waiting: rest });
    const reports = !first.toJudge && shouldReportCost(this.state, settings.budgetUsd, running);
    const callsEach = this.callsOfQuestion();
    return {
      ...first,
      ...(reports && { tellsCost: true as const }),
      ...(callsEach !== undefined && { callsEach }),
    };
  }

  /** Returns about how many calls a question makes, by those that have ended; before, the most it may. */
  private callsOfQuestion(): number | undefined {
    const { asked, mostCalls } = this.state;
    return asked?.questions ? asked.calls / asked.questions : mostCalls;
  }

  /** Counts the expected cost of a call that was put into a pool. */
  pooled(costUsd: number): void {
    const { usd, calls } = this.state.pooled ?? { usd: 0, calls: 0 };
    this.change({ pooled: { usd: usd + costUsd, calls: calls + 1 } });
  }

  /**
   * Counts a question that has ended. A failure that every question would meet pauses the run; so do
   * several failures in a row that waiting can heal. Their questions are asked again later. Their
   * costs count now: the response cache serves these calls the next time.
   */
  countQuestion(question: WaitingQuestion, tally: Tally): void {
    const { usage, failure, toJudge } = tally;
    const { sums, seen, alike } = this.state;
    const meaning = meaningOf(failure, sums.done === 0, this.state);
    const isCounted = meaning.means === 'own';
    this.change({ usage: addUsage(this.state.usage, usage) });
    this.spend(usage, isCounted ? 1 : 0);
    if (isCounted) {
      // A question that is asked again shows its cost at its end, since its calls are kept.
      this.change({ ...this.added([tally]), seen: addQuestionCost(seen, tally) });
      // Held judgements wait until another judgement ends differently.
      if (alike?.[0]?.tally) this.countAlike();
    }
    // The record of any other failure includes its usage.
    if (meaning.means === 'common') this.addUnrecorded('usage', usage);
    this.conclude({ question, tally }, meaning, usage);
    if (isCounted && toJudge) this.putFirst({ ...withoutFailureMark(question), toJudge });
  }

  /** Counts the judging of an answer, successful or not. */
  countJudged(
    question: WaitingQuestion,
    { judged, failure, usage = NO_USAGE }: WorkflowEnding,
  ): void {
    const took = judged?.usage ?? usage;
    const { judge, seen, sums, hasJudged } = this.state;
    const meaning = meaningOf(failure, !hasJudged, this.state);
    this.change({ judge: { ...judge, usage: addUsage(judge.usage, took) } });
    this.spend(took, 0);
    if (judged) this.change({ seen: addJudgeCost(seen, took), sums: addScores(sums, judged) });
    else this.addUnrecorded('judge', took);
    if (meaning.means === 'own') {
      if (failure) this.addUnjudged(1);
      this.countAlike();
      this.change({ hasJudged: true });
    }
    this.conclude({ question, tally: null }, meaning, took);
  }

  /** Counts the usage of a question that was cancelled with the run, and nothing else of it. */
  stopped({ toJudge }: WaitingQuestion, { usage: took = NO_USAGE }: WorkflowEnding): void {
    const { usage, judge, spending } = this.state;
    this.addUnrecorded(toJudge ? 'judge' : 'usage', took);
    if (toJudge) this.change({ judge: { ...judge, usage: addUsage(judge.usage, took) } });
    else this.change({ usage: addUsage(usage, took) });
    this.change({ spending: addCost(spending, took.costUsd, 0) });
  }

  /** Decides from an ended question whether the others continue. */
  private conclude(ended: HeldQuestion, meaning: FailureMeaning, took: Usage): void {
    switch (meaning.means) {
      case 'alike':
        this.served(took);
        this.holdAlike({ ...ended, failure: meaning.failure });
        // Whether its endpoint is free is checked once a question counts.
        return;
      case 'outage':
        this.change(holdBack(ended, meaning.failure, this.state, this.clock()));
        break;
      case 'common':
        this.change(pauseForFailure(meaning.failure, this.state, this.clock()));
        this.putFirst(ended.question);
        break;
      case 'own':
        this.served(took);
    }
    this.checkFree(took);
  }

  /** Ends an outage. A question that paid for a call shows that the provider is back. */
  private served({ calls, cachedCalls }: Usage): void {
    if (isPassing(this.state.pause)) this.change({ pause: null });
    if (calls > cachedCalls && this.state.held.length > 0) this.askHeldBack();
  }

  private holdAlike(failing: FailedAlike): void {
    const { state, asked } = heldAlike(failing, this.state, this.clock());
    this.change(state);
    for (const { tally } of asked) this.addUnrecorded('usage', tally?.usage ?? NO_USAGE);
  }

  /** Pauses a run with a budget at the first cost reported by an endpoint that was assumed free. */
  private checkFree({ statedUsd = 0 }: Usage): void {
    const { assumedFree = [], settings } = this.state;
    if (assumedFree.length === 0 || statedUsd === 0 || settings.budgetUsd === null) return;
    if (!this.needsPerson) this.change({ pause: this.since(notFreePause(assumedFree, statedUsd)) });
  }

  /** Returns whether the run asks again after this failure, after a pause at once or later. */
  asksAgain(failure: QuestionFailure | undefined): failure is QuestionFailure {
    return asksAgain(failure, this.state.settings);
  }

  /**
   * Pauses at once: something that the run itself needs is gone, or away for longer than its
   * activities wait.
   *
   * @param question The question to ask again, if its answer could not be recorded.
   */
  away(failure: QuestionFailure, question?: WaitingQuestion): void {
    if (question) this.change({ waiting: [...this.state.waiting, question] });
    this.change(pauseForFailure(failure, this.state, this.clock()));
  }

  /** Whether ended questions are held that may be asked again. */
  get holdsAny(): boolean {
    const { held, alike = [] } = this.state;
    return held.length > 0 || alike.length > 0;
  }

  /** Asks the held questions again, or counts them as failed, when nothing else is left. */
  askHeld(): void {
    this.countAlike();
    this.askHeldBack();
  }

  /** Asks the questions again that an outage held back; those that failed twice count as failed. */
  private askHeldBack(): void {
    const { again, failed } = splitHeld(this.state.held);
    this.change({ held: [], waiting: [...this.state.waiting, ...again] });
    this.countHeld(failed);
  }

  /** Counts the questions held back for failing alike, after another question ended differently. */
  private countAlike(): void {
    const { alike = [], seen } = this.state;
    if (alike.length === 0) return;
    this.change({ alike: [], seen: talliesOf(alike).reduce(addQuestionCost, seen) });
    this.countHeld(alike);
  }

  /** Counts held questions and judgements as failed. Their cost was added when they ended. */
  private countHeld(failed: readonly HeldQuestion[]): void {
    const tallies = talliesOf(failed);
    const { priced } = this.state.spending;
    this.change({
      ...this.added(tallies),
      spending: { ...this.state.spending, priced: priced + tallies.length },
    });
    this.addUnjudged(failed.length - tallies.length);
  }

  /** Puts a question before all that wait. */
  putFirst(question: WaitingQuestion): void {
    this.change({ waiting: [question, ...this.state.waiting] });
  }

  /** Begins nothing more until `resume`; questions under way continue. */
  pause(): void {
    // Only a person ends a pause that a person began.
    if (this.needsPerson) return;
    this.change({ pause: this.since({ reason: 'user', message: 'Paused until it is resumed.' }) });
  }

  /** Resumes the run. Its budget counts only known or reported costs. */
  resume(): void {
    const spending = { ...this.state.spending, unpriced: 0 };
    this.change({ pause: null, spending, assumedFree: [] });
  }

  /**
   * Changes settings of the run. A larger budget does not by itself resume a run that has spent it.
   */
  set(settings: Partial<RunSettings>): void {
    this.change({ settings: { ...this.state.settings, ...settings } });
    const { pause } = this.state;
    if (pause?.reason !== 'budget' || settings.budgetUsd === undefined) return;
    this.change({ pause: pauseAfterChange(this.state, settings.budgetUsd, pause) });
  }

  /** Counts a cost and its calls. @param questions 1 for a question that counts as ended, else 0. */
  private spend({ costUsd, calls }: Usage, questions: 0 | 1): void {
    const { spending, asked = { calls: 0, questions: 0 } } = this.state;
    this.change({
      spending: addCost(spending, costUsd, questions),
      asked: { calls: asked.calls + calls, questions: asked.questions + questions },
    });
  }

  /** Returns the sums with these questions added. */
  private added(tallies: readonly Tally[]): Pick<RunBookState, 'failures' | 'sums'> {
    const failures = tallies.flatMap(({ failure }) => failure ?? []);
    return {
      sums: tallies.reduce(addTally, this.state.sums),
      failures: failures.reduce(addFailure, this.state.failures),
    };
  }

  /** Remembers usage that no answer contains, to be recorded in the manifest. */
  private addUnrecorded(of: 'judge' | 'usage', took: Usage): void {
    if (!hasUsage(took)) return;
    const before = this.state.unrecorded ?? { usage: NO_USAGE, judge: NO_USAGE };
    this.change({ unrecorded: { ...before, [of]: addUsage(before[of], took) } });
  }

  private addUnjudged(answers: number): void {
    const { judge } = this.state;
    this.change({ judge: { ...judge, failed: judge.failed + answers } });
  }

  private since(pause: Pause): Pause {
    return { ...pause, since: this.clock() };
  }

  private change(to: Partial<RunBookState>): void {
    Object.assign(this.state, to);
    this.version++;
  }
}

function talliesOf(held: readonly HeldQuestion[]): Tally[] {
  return held.flatMap(({ tally }) => tally ?? []);
}
