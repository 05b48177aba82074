/** Keeps account of a run: what is to be asked, what was answered, whether more may begin. Pure. */

import { traitsOf } from '../../core/failure.js';
import type { QuestionFailure } from '../../core/result.js';
import { addFailure } from '../../core/run/failure-counts.js';
import type { RunSpec } from '../../core/run/input.js';
import type { Ending, Pause, RunProgress, RunSettings, Tally } from '../../core/run/run.js';
import { addScores, addSums, addTally } from '../../core/run/sums.js';
import { addUsage, isUsed, noUsage, type Usage } from '../../core/usage.js';
import type { OpenedRun, ReadQuestions } from '../activities/run.js';
import {
  addCost,
  addCosts,
  budgetGate,
  notFree,
  pauseAfterChange,
  questionUsd,
  seeCost,
  seeJudged,
  shouldReportCost,
} from './budget.js';
import {
  type FailedAlike,
  forgiven,
  type HeldQuestion,
  isOutage,
  passingMessage,
  release,
  type WaitingQuestion,
} from './outage-suspects.js';
import { progressOf, type Standing, type UnrecordedUsage } from './standing.js';

export class RunBook {
  private readonly state: Standing;
  /** Grows with every change. */
  version = 0;

  /** @param clock Returns milliseconds since 1970. */
  constructor(
    before: Standing,
    private readonly clock: () => number = Date.now,
  ) {
    this.state = before;
  }

  get standing(): Readonly<Standing> {
    return this.state;
  }

  /** @param running Questions under way. */
  progress(running: number): RunProgress {
    return progressOf(this.state, running);
  }

  /** Expected cost of another question, in US dollars; null if unknown. */
  get questionUsd(): number | null {
    return questionUsd(this.state);
  }

  /** Called once the input is checked and the data set read. */
  opened(opened: OpenedRun): void {
    const { spec: input, datasetName, questions, labelled, metrics, callsEach } = opened;
    const { assumedFree, mostCalls } = opened;
    const spec: RunSpec = { ...input, datasetName, ...(labelled && { labelled }) };
    const own = metrics && { metrics };
    const calls = callsEach !== undefined && { callsEach };
    const free = assumedFree && { assumedFree };
    // Nobody knows before how many calls judge an answer.
    const most = mostCalls !== undefined && spec.judge === undefined && { mostCalls };
    this.change({ spec, questions, ...own, ...calls, ...most, ...free, state: 'running' });
  }

  finished(): void {
    this.change({ state: 'finished', pause: null });
  }

  /** Called with each page of questions; it leaves out those finished by an earlier start. */
  read({
    questions,
    read,
    kept,
    earlier = noUsage,
    costsSeen,
    hasJudged,
    next,
  }: ReadQuestions): void {
    const { waiting, sums, spec, seen } = this.state;
    // Costs that a study reported for its cells already include these.
    const isNews = costsSeen && !spec.costsSeen?.questions;
    const left = this.state.left === undefined ? undefined : this.state.left - read;
    this.change({
      waiting: [...waiting, ...questions],
      sums: addSums(sums, kept),
      earlier: addUsage(this.state.earlier, earlier),
      ...(isNews && { seen: addCosts(seen, costsSeen) }),
      ...(hasJudged && { hasJudged }),
      ...(left !== undefined && { left }),
      from: left === 0 ? null : next,
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
    const tells = !first.toJudge && shouldReportCost(this.state, settings.budgetUsd, running);
    const { callsEach } = this;
    return {
      ...first,
      ...(tells && { tellsCost: true as const }),
      ...(callsEach !== undefined && { callsEach }),
    };
  }

  /** About how many calls a question makes, by those that have ended; before, the most it may. */
  private get callsEach(): number | undefined {
    const { asked, mostCalls } = this.state;
    return asked?.questions ? asked.calls / asked.questions : mostCalls;
  }

  private askedBy({ calls }: Usage, questions: 0 | 1): Pick<Standing, 'asked'> {
    const before = this.state.asked ?? { calls: 0, questions: 0 };
    return { asked: { calls: before.calls + calls, questions: before.questions + questions } };
  }

  /** Counts the expected cost of a call that was put into a pool. */
  pooled(costUsd: number): void {
    const { usd, calls } = this.state.pooled ?? { usd: 0, calls: 0 };
    this.change({ pooled: { usd: usd + costUsd, calls: calls + 1 } });
  }

  /**
   * Counts a question that has ended. A failure that every question would meet pauses the run; so do
   * several failures in a row that waiting can heal. Their questions are asked again later. What they
   * paid for counts now: the response cache serves it the next time.
   */
  countQuestion(question: WaitingQuestion, tally: Tally): void {
    const { usage, spending, seen } = this.state;
    const { failure, toJudge } = tally;
    const isAlike = this.mayMeetAll(failure);
    const isAskedAgain = this.asksAgain(failure);
    const isCounted = !isAlike && !isAskedAgain;
    this.change({
      usage: addUsage(usage, tally.usage),
      spending: addCost(spending, tally.usage.costUsd, isCounted ? 1 : 0),
      // A question that is asked again shows its cost at its end, since its calls are kept.
      ...(isCounted && { ...this.counted([tally]), seen: seeCost(seen, tally) }),
      ...this.askedBy(tally.usage, isCounted ? 1 : 0),
    });
    if (isAlike) {
      this.served(tally.usage);
      this.holdAlike({ question, tally, failure });
      return;
    }
    // Held judgements wait until another one ends differently.
    if (isCounted && this.state.alike?.[0]?.tally) this.countAlike();
    // The record of any other failure includes its usage.
    if (isCommon(failure)) this.unrecorded('usage', tally.usage);
    this.goOn({ question, tally }, failure, tally.usage);
    this.checkFree(tally.usage);
    if (!isAskedAgain && toJudge) this.putFirst({ ...forgiven(question), toJudge });
  }

  /** Counts the usage of a question that was cancelled with the run, and nothing else of it. */
  stopped({ toJudge }: WaitingQuestion, { usage: took = noUsage }: Ending): void {
    const { usage, judge, spending } = this.state;
    this.unrecorded(toJudge ? 'judge' : 'usage', took);
    this.change({
      ...(toJudge
        ? { judge: { ...judge, usage: addUsage(judge.usage, took) } }
        : { usage: addUsage(usage, took) }),
      spending: addCost(spending, took.costUsd, 0),
    });
  }

  /** Counts the judging of an answer, successful or not. */
  countJudged(question: WaitingQuestion, { judged, failure, usage = noUsage }: Ending): void {
    const { judge, spending, seen, sums } = this.state;
    const took = judged?.usage ?? usage;
    const isAlike = !this.state.hasJudged && this.isAlike(failure);
    const isAskedAgain = this.asksAgain(failure);
    const isCounted = !isAlike && !isAskedAgain;
    this.change({
      judge: {
        usage: addUsage(judge.usage, took),
        failed: judge.failed + (failure && isCounted ? 1 : 0),
      },
      spending: addCost(spending, took.costUsd, 0),
      seen: judged ? seeJudged(seen, took) : seen,
      sums: judged ? addScores(sums, judged) : sums,
      ...this.askedBy(took, 0),
    });
    if (!judged) this.unrecorded('judge', took);
    if (isAlike) {
      this.served(took);
      this.holdAlike({ question, tally: null, failure });
      return;
    }
    if (isCounted) {
      this.countAlike();
      this.change({ hasJudged: true });
    }
    this.goOn({ question, tally: null }, failure, took);
    this.checkFree(took);
  }

  /**
   * Pauses a run with a budget at the first cost reported by an endpoint that was assumed to be
   * free.
   */
  private checkFree({ statedUsd = 0 }: Usage): void {
    const { assumedFree = [], settings, pause } = this.state;
    if (assumedFree.length === 0 || statedUsd === 0 || settings.budgetUsd === null) return;
    if (pause && !isPassing(pause)) return;
    this.change({ pause: this.since(notFree(assumedFree, statedUsd)) });
  }

  /** Remembers usage that no answer contains, to be recorded in the manifest. */
  private unrecorded(of: keyof UnrecordedUsage, took: Usage): void {
    if (!isUsed(took)) return;
    const before = this.state.unrecorded ?? { usage: noUsage, judge: noUsage };
    this.change({ unrecorded: { ...before, [of]: addUsage(before[of], took) } });
  }

  /** Decides from an ended question whether the others continue. */
  private goOn(ended: HeldQuestion, failure: QuestionFailure | undefined, took: Usage): void {
    if (this.waitsFor(failure)) {
      this.holdBack(ended, failure);
    } else if (isCommon(failure)) {
      this.pauseFor(failure);
      this.putFirst(ended.question);
    } else {
      this.served(took);
    }
  }

  /** Tells whether the run asks again after this failure, after a pause at once or later. */
  asksAgain(failure: QuestionFailure | undefined): failure is QuestionFailure {
    return isCommon(failure) || this.waitsFor(failure);
  }

  /** Tells whether this run pauses only after several failures of this kind. */
  private waitsFor(failure: QuestionFailure | undefined): failure is QuestionFailure {
    return isOutage(failure) && this.state.settings.pauseAfter !== null;
  }

  /**
   * Pauses at once: something that the run itself needs is gone, or away for longer than its
   * activities wait.
   *
   * @param question The question to ask again, if its answer could not be recorded.
   */
  away(failure: QuestionFailure, question?: WaitingQuestion): void {
    if (question) this.change({ waiting: [...this.state.waiting, question] });
    if (isCommon(failure)) this.pauseFor(failure);
    else this.pauseAndProbe(failure, 'outage');
  }

  /** Whether ended questions are held that may be asked again. */
  get holdsAny(): boolean {
    const { held, alike = [] } = this.state;
    return held.length > 0 || alike.length > 0;
  }

  /** Asks the held questions again, or counts them as failed, when nothing else is left. */
  askHeld(): void {
    this.countAlike();
    this.releaseHeld();
  }

  private releaseHeld(): void {
    const { held, waiting, judge } = this.state;
    const { again, failed } = release(held);
    const tallies = failed.flatMap(({ tally }) => tally ?? []);
    this.change({
      held: [],
      waiting: [...waiting, ...again],
      judge: { ...judge, failed: judge.failed + failed.length - tallies.length },
    });
    this.countLate(tallies);
  }

  putFirst(question: WaitingQuestion): void {
    this.change({ waiting: [question, ...this.state.waiting] });
  }

  /** Begins nothing more until `resume`; questions under way continue. */
  pause(): void {
    const { pause } = this.state;
    // Only a person ends a pause that a person began.
    if (pause && !isPassing(pause)) return;
    this.change({ pause: this.since({ reason: 'user', message: 'Paused until it is resumed.' }) });
  }

  /** Resumes the run. Its budget counts only known or reported costs. */
  resume(): void {
    const spending = { ...this.state.spending, unpriced: 0 };
    this.change({ pause: null, spending, assumedFree: [] });
  }

  set(settings: Partial<RunSettings>): void {
    this.change({ settings: { ...this.state.settings, ...settings } });
    const { pause } = this.state;
    if (pause?.reason !== 'budget' || settings.budgetUsd === undefined) return;
    this.change({ pause: pauseAfterChange(this.state, settings.budgetUsd, pause) });
  }

  /** Returns the sums with these questions added. */
  private counted(tallies: readonly Tally[]): Pick<Standing, 'sums' | 'failures'> {
    const { sums, failures } = this.state;
    return {
      sums: tallies.reduce(addTally, sums),
      failures: tallies.reduce(
        (counts, { failure }) => (failure ? addFailure(counts, failure) : counts),
        failures,
      ),
    };
  }

  /**
   * Tells whether a question failed like all before it while none ended differently, so that every
   * other may fail too.
   */
  private mayMeetAll(failure: QuestionFailure | undefined): failure is QuestionFailure {
    return this.state.sums.done === 0 && this.isAlike(failure);
  }

  /** Tells whether a failure equals that of the questions held back for failing alike. */
  private isAlike(failure: QuestionFailure | undefined): failure is QuestionFailure {
    const { alike = [], settings } = this.state;
    if (!failure || !traitsOf(failure.type).commonIfFirst) return false;
    if (settings.pauseIfFirst === null) return false;
    const before = alike[0]?.failure;
    return !before || (before.type === failure.type && before.step === failure.step);
  }

  /** Holds a question back until it is known whether every other would fail like it. */
  private holdAlike(failing: FailedAlike): void {
    const { alike = [], pause, settings, waiting } = this.state;
    const { failure, tally } = failing;
    const all = [...alike, failing];
    const isPaused = pause?.reason === failure.type;
    if (!isPaused && all.length < Number(settings.pauseIfFirst)) {
      this.change({ alike: all });
      return;
    }
    this.change({ alike: [], waiting: [...all.map(({ question }) => question), ...waiting] });
    for (const one of all) this.unrecorded('usage', one.tally?.usage ?? noUsage);
    const what = tally ? 'question' : 'judgement';
    const count = all.length === 1 ? `The first ${what}` : `The first ${all.length} ${what}s`;
    const message = `${count} failed alike, so every other would: ${failure.message}`;
    this.pauseFor({ ...failure, message });
  }

  /** Counts the questions held back for failing alike, after another question ended differently. */
  private countAlike(): void {
    const { alike = [], judge, seen } = this.state;
    if (alike.length === 0) return;
    const tallies = alike.flatMap(({ tally }) => tally ?? []);
    const failed = judge.failed + alike.length - tallies.length;
    this.change({ alike: [], seen: tallies.reduce(seeCost, seen), judge: { ...judge, failed } });
    this.countLate(tallies);
  }

  /** Counts questions whose cost was added when they ended. */
  private countLate(tallies: readonly Tally[]): void {
    const { spending } = this.state;
    this.change({
      ...this.counted(tallies),
      spending: tallies.reduce((before) => addCost(before, 0), spending),
    });
  }

  private pauseFor(failure: QuestionFailure): void {
    const { pause, settings } = this.state;
    const { type, message } = failure;
    if (pause && !isPassing(pause)) return;
    const { healedBy } = traitsOf(type);
    const heals = healedBy === 'mending' || healedBy === 'the next day';
    if (heals && settings.pauseAfter !== null) this.pauseAndProbe(failure, type);
    else this.change({ pause: this.since({ reason: type, message }) });
  }

  /** Holds a question back until others show whether they fail as well. */
  private holdBack(failing: HeldQuestion, failure: QuestionFailure): void {
    const { pause, waiting, settings } = this.state;
    const held = [...this.state.held, failing];
    const isOut = isPassing(pause) || (!pause && held.length >= Number(settings.pauseAfter));
    if (isOut) {
      const again = held.map(({ question }) => forgiven(question));
      this.change({ held: [], waiting: [...waiting, ...again] });
      this.pauseAndProbe(failure, 'outage');
    } else {
      this.change({ held });
    }
  }

  /** Pauses the run, or postpones the next probe of such a pause. */
  private pauseAndProbe(failure: QuestionFailure, reason: Pause['reason']): void {
    const { pause, settings } = this.state;
    if (pause && !isPassing(pause)) return;
    const now = this.clock();
    const isDaily = traitsOf(failure.type).healedBy === 'the next day';
    const waitMs = isDaily
      ? Math.min(HOUR_MS, DAY_MS - (now % DAY_MS))
      : settings.probeSeconds * 1000;
    const nextProbe = now + waitMs;
    this.change({
      pause: { reason, message: passingMessage(failure), since: pause?.since ?? now, nextProbe },
    });
  }

  /** Ends an outage. A question that paid for a call shows that the provider is back. */
  private served({ calls, cachedCalls }: Usage): void {
    if (isPassing(this.state.pause)) this.change({ pause: null });
    if (calls > cachedCalls && this.state.held.length > 0) this.releaseHeld();
  }

  private since(pause: Pause): Pause {
    return { ...pause, since: this.clock() };
  }

  private change(to: Partial<Standing>): void {
    Object.assign(this.state, to);
    this.version++;
  }
}

const DAY_MS = 86_400_000;
/** Between two probes of what the next day heals: a budget may have been raised before. */
const HOUR_MS = 3_600_000;

function isCommon(failure: QuestionFailure | undefined): failure is QuestionFailure {
  return traitsOf(failure?.type).common === true;
}

/** Tells whether the run resumes by itself. */
function isPassing(pause: Pause | null): pause is Pause & { nextProbe: number } {
  return pause?.nextProbe !== undefined;
}
