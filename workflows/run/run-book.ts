/**
 * Keeps account of a run: each method records one event, such as the end of a question, and changes
 * the state. Whether more may begin is decided in run-budget.ts, what a failure means in
 * run-pauses.ts. Pure.
 *
 * Longer than other files, since all events change one state.
 */

import type { QuestionFailure } from '../../core/result.js';
import { addCost, addJudgeCost, addQuestionCost } from '../../core/run/costs.js';
import { addFailure } from '../../core/run/failure-counts.js';
import type { Pause, RunProgress, RunSettings, Tally, WorkflowEnding } from '../../core/run/run.js';
import { addScores, addTally } from '../../core/run/sums.js';
import { addUsage, hasUsage, NO_USAGE, type Usage } from '../../core/usage.js';
import type { OpenedRun, ReadQuestions } from '../activities/run.js';
import {
  budgetGate,
  notFreePause,
  pauseAfterChange,
  questionUsd,
  shouldReportCost,
} from './run-budget.js';
import {
  type FailureMeaning,
  type HeldQuestion,
  heldAlike,
  holdBack,
  isPassing,
  meaningOf,
  pauseForFailure,
  splitHeld,
  type WaitingQuestion,
  withoutFailureMark,
} from './run-pauses.js';
import {
  callsOfQuestion,
  progressOf,
  type RunBookState,
  stateOfOpened,
  stateWithPage,
} from './run-state.js';

/**
 * The account of a run: what is to be asked, what was answered, and what it cost. Each method
 * records one event and changes the state.
 */
export class RunBook {
  /** Grows with every change. */
  version = 0;

  /** @param clock Returns milliseconds since 1970. */
  constructor(
    private readonly state: RunBookState,
    private readonly clock: () => number = Date.now,
  ) {}

  /** The current state. */
  get standing(): Readonly<RunBookState> {
    return this.state;
  }

  /** Returns the progress to show. @param running Questions under way. */
  progress(running: number): RunProgress {
    return progressOf(this.state, running);
  }

  /** Expected cost of another question, in US dollars; null if unknown. */
  get questionUsd(): number | null {
    return questionUsd(this.state);
  }

  /** Called once the input is checked and the data set read. */
  opened(run: OpenedRun): void {
    this.change(stateOfOpened(run));
  }

  /** Called once every question has ended. */
  finished(): void {
    this.change({ state: 'finished', pause: null });
  }

  /** Called with each page of questions; it leaves out those finished by an earlier start. */
  read(page: ReadQuestions): void {
    this.change(stateWithPage(this.state, page));
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
    const callsEach = callsOfQuestion(this.state);
    return {
      ...first,
      ...(reports && { tellsCost: true as const }),
      ...(callsEach !== undefined && { callsEach }),
    };
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
      case 'alike': {
        this.served(took);
        const failing = { ...ended, failure: meaning.failure };
        const { state, asked } = heldAlike(failing, this.state, this.clock());
        this.change(state);
        for (const { tally } of asked) this.addUnrecorded('usage', tally?.usage ?? NO_USAGE);
        // Whether its endpoint is free is checked once a question counts.
        return;
      }
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

  /** Pauses a run with a budget at the first cost reported by an endpoint that was assumed free. */
  private checkFree({ statedUsd = 0 }: Usage): void {
    const { assumedFree = [], settings } = this.state;
    if (assumedFree.length === 0 || statedUsd === 0 || settings.budgetUsd === null) return;
    if (!this.needsPerson) this.change({ pause: this.since(notFreePause(assumedFree, statedUsd)) });
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
