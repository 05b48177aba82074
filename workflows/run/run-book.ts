/** Keeps account of a run: what is to be asked, what came of it, whether more may begin. Pure. */

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
  isToTell,
  notFree,
  pauseAfterChange,
  questionUsd,
  seeCost,
  seeJudged,
} from './budget.js';
import {
  type FailedAlike,
  forgiven,
  type HeldQuestion,
  isOutage,
  passingMessage,
  release,
  type WaitingQuestion,
} from './held-back.js';
import { progressOf, type Standing, type UnrecordedUsage } from './standing.js';

export class RunBook {
  private readonly now: Standing;
  /** Grows with every change. */
  version = 0;

  /** @param clock Milliseconds since 1970. */
  constructor(
    before: Standing,
    private readonly clock: () => number = Date.now,
  ) {
    this.now = before;
  }

  get standing(): Readonly<Standing> {
    return this.now;
  }

  /** @param running Questions under way. */
  progress(running: number): RunProgress {
    return progressOf(this.now, running);
  }

  /** What one more question is expected to cost, in US dollars; null if unknown. */
  get questionUsd(): number | null {
    return questionUsd(this.now);
  }

  /** The input was found good and the data set read. */
  opened(opened: OpenedRun): void {
    const { spec: input, datasetName, questions, labelled, metrics, callsEach } = opened;
    const { assumedFree, mostCalls } = opened;
    const spec: RunSpec = { ...input, datasetName, ...(labelled && { labelled }) };
    const own = metrics && { metrics };
    const told = callsEach !== undefined && { callsEach };
    const free = assumedFree && { assumedFree };
    // Nobody knows before how many calls judge an answer.
    const most = mostCalls !== undefined && spec.judge === undefined && { mostCalls };
    this.change({ spec, questions, ...own, ...told, ...most, ...free, state: 'running' });
  }

  finished(): void {
    this.change({ state: 'finished', pause: null });
  }

  /** The next questions were read; those passed over have been done by an earlier start. */
  read({
    questions,
    read,
    kept,
    earlier = noUsage,
    costsSeen,
    hasJudged,
    next,
  }: ReadQuestions): void {
    const { waiting, sums, spec, seen } = this.now;
    // What a study has told of its cells has these in it.
    const isNews = costsSeen && !spec.costsSeen?.questions;
    const left = this.now.left === undefined ? undefined : this.now.left - read;
    this.change({
      waiting: [...waiting, ...questions],
      sums: addSums(sums, kept),
      earlier: addUsage(this.now.earlier, earlier),
      ...(isNews && { seen: addCosts(seen, costsSeen) }),
      ...(hasJudged && { hasJudged }),
      ...(left !== undefined && { left }),
      from: left === 0 ? null : next,
    });
  }

  /** Whether nothing more begins until a person resumes. */
  get needsPerson(): boolean {
    const { pause } = this.now;
    return pause !== null && !isPassing(pause);
  }

  /** Whether the next questions may be read, or one of them be tried. */
  get mayRead(): boolean {
    const { pause } = this.now;
    return !pause || (pause.nextProbe !== undefined && pause.nextProbe <= this.clock());
  }

  /**
   * Returns the next question, if one may begin; pauses where the budget is spent. In an outage the
   * questions under way show whether it is over; after them one question at a time does.
   *
   * @param widest How many there may be, whatever is set.
   */
  next(running: number, widest = Infinity): WaitingQuestion | undefined {
    const { waiting, pause, settings } = this.now;
    const [first, ...rest] = waiting;
    if (!first || running >= Math.min(settings.concurrency, widest)) return undefined;
    if (pause && (running > 0 || !this.mayRead)) return undefined;
    const gate = budgetGate(this.now, settings.budgetUsd, running);
    if (gate === 'wait') return undefined;
    if (gate !== 'begin') {
      this.change({ pause: this.since(gate) });
      return undefined;
    }
    this.change({ waiting: rest });
    const tells = !first.toJudge && isToTell(this.now, settings.budgetUsd, running);
    const { callsEach } = this;
    return {
      ...first,
      ...(tells && { tellsCost: true as const }),
      ...(callsEach !== undefined && { callsEach }),
    };
  }

  /** About how many calls a question makes, by those that have ended; before, the most it may. */
  private get callsEach(): number | undefined {
    const { asked, mostCalls } = this.now;
    return asked?.questions ? asked.calls / asked.questions : mostCalls;
  }

  private askedBy({ calls }: Usage, questions: 0 | 1): Pick<Standing, 'asked'> {
    const before = this.now.asked ?? { calls: 0, questions: 0 };
    return { asked: { calls: before.calls + calls, questions: before.questions + questions } };
  }

  /** A call of a question that tells its costs has been put into a pool. */
  pooled(costUsd: number): void {
    const { usd, calls } = this.now.pooled ?? { usd: 0, calls: 0 };
    this.change({ pooled: { usd: usd + costUsd, calls: calls + 1 } });
  }

  /**
   * Counts a question that has ended. A failure that every question would meet pauses the run, and
   * so do several failures in a row that a wait can heal; their questions are asked again later.
   * What they paid for counts now: the response cache serves it the next time.
   */
  settle(question: WaitingQuestion, tally: Tally): void {
    const { usage, spending, seen } = this.now;
    const { failure, toJudge } = tally;
    const isAlike = this.mayMeetAll(failure);
    const isAskedAgain = this.asksAgain(failure);
    const isCounted = !isAlike && !isAskedAgain;
    this.change({
      usage: addUsage(usage, tally.usage),
      spending: addCost(spending, tally.usage.costUsd, isCounted ? 1 : 0),
      // A question that is asked again shows what it costs at its end: its calls are kept.
      ...(isCounted && { ...this.counted([tally]), seen: seeCost(seen, tally) }),
      ...this.askedBy(tally.usage, isCounted ? 1 : 0),
    });
    if (isAlike) {
      this.served(tally.usage);
      this.holdAlike({ question, tally, failure });
      return;
    }
    // Held judgements wait for another one that ends otherwise.
    if (isCounted && this.now.alike?.[0]?.tally) this.countAlike();
    // Any other failure is recorded with what it took.
    if (isCommon(failure)) this.unrecorded('usage', tally.usage);
    this.goOn({ question, tally }, failure, tally.usage);
    this.checkFree(tally.usage);
    if (!isAskedAgain && toJudge) this.putFirst({ ...forgiven(question), toJudge });
  }

  /** Counts what a question has paid for that was cancelled with the run. Nothing else counts. */
  stopped({ toJudge }: WaitingQuestion, { usage: took = noUsage }: Ending): void {
    const { usage, judge, spending } = this.now;
    this.unrecorded(toJudge ? 'judge' : 'usage', took);
    this.change({
      ...(toJudge
        ? { judge: { ...judge, usage: addUsage(judge.usage, took) } }
        : { usage: addUsage(usage, took) }),
      spending: addCost(spending, took.costUsd, 0),
    });
  }

  /** The answer to a question has been judged, or could not be. */
  settleJudged(question: WaitingQuestion, { judged, failure, usage = noUsage }: Ending): void {
    const { judge, spending, seen, sums } = this.now;
    const took = judged?.usage ?? usage;
    const isAlike = !this.now.hasJudged && this.isAlike(failure);
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

  /** Pauses a run with a budget at the first cost that an endpoint states which was assumed free. */
  private checkFree({ statedUsd = 0 }: Usage): void {
    const { assumedFree = [], settings, pause } = this.now;
    if (assumedFree.length === 0 || statedUsd === 0 || settings.budgetUsd === null) return;
    if (pause && !isPassing(pause)) return;
    this.change({ pause: this.since(notFree(assumedFree, statedUsd)) });
  }

  /** Remembers what no answer tells of, for the manifest to tell it. */
  private unrecorded(of: keyof UnrecordedUsage, took: Usage): void {
    if (!isUsed(took)) return;
    const before = this.now.unrecorded ?? { usage: noUsage, judge: noUsage };
    this.change({ unrecorded: { ...before, [of]: addUsage(before[of], took) } });
  }

  /** Draws from how a question has ended whether the others go on. */
  private goOn(ended: HeldQuestion, failure: QuestionFailure | undefined, took: Usage): void {
    if (this.waitsFor(failure)) {
      this.hold(ended, failure);
    } else if (isCommon(failure)) {
      this.pauseFor(failure);
      this.putFirst(ended.question);
    } else {
      this.served(took);
    }
  }

  /** Tells whether the run asks again after a failure, and pauses, at once or if it stays. */
  asksAgain(failure: QuestionFailure | undefined): failure is QuestionFailure {
    return isCommon(failure) || this.waitsFor(failure);
  }

  /** Whether a failure is one that has to come several times before this run pauses. */
  private waitsFor(failure: QuestionFailure | undefined): failure is QuestionFailure {
    return isOutage(failure) && this.now.settings.pauseAfter !== null;
  }

  /**
   * Pauses at once: something that the run itself needs is gone, or away for longer than its
   * activities wait.
   *
   * @param question That is to be asked again, if it was one that could not be recorded.
   */
  away(failure: QuestionFailure, question?: WaitingQuestion): void {
    if (question) this.change({ waiting: [...this.now.waiting, question] });
    if (isCommon(failure)) this.pauseFor(failure);
    else this.pauseAndProbe(failure, 'outage');
  }

  /** Whether questions have ended of which it is not decided whether they are asked again. */
  get holdsAny(): boolean {
    const { held, alike = [] } = this.now;
    return held.length > 0 || alike.length > 0;
  }

  /** Asks the questions that were held back, or counts them as failed: nothing else is left. */
  askHeld(): void {
    this.countAlike();
    this.releaseHeld();
  }

  private releaseHeld(): void {
    const { held, waiting, judge } = this.now;
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
    this.change({ waiting: [question, ...this.now.waiting] });
  }

  /** Begins nothing more until `resume`; what is under way goes on. */
  pause(): void {
    const { pause } = this.now;
    // Only a person ends what a person has begun.
    if (pause && !isPassing(pause)) return;
    this.change({ pause: this.since({ reason: 'user', message: 'Paused until it is resumed.' }) });
  }

  /** Goes on. The budget counts the costs that are known or stated, and no others. */
  resume(): void {
    const spending = { ...this.now.spending, unpriced: 0 };
    this.change({ pause: null, spending, assumedFree: [] });
  }

  set(settings: Partial<RunSettings>): void {
    this.change({ settings: { ...this.now.settings, ...settings } });
    const { pause } = this.now;
    if (pause?.reason !== 'budget' || settings.budgetUsd === undefined) return;
    this.change({ pause: pauseAfterChange(this.now, settings.budgetUsd, pause) });
  }

  /** The sums with these questions in them. */
  private counted(tallies: readonly Tally[]): Pick<Standing, 'sums' | 'failures'> {
    const { sums, failures } = this.now;
    return {
      sums: tallies.reduce(addTally, sums),
      failures: tallies.reduce(
        (counts, { failure }) => (failure ? addFailure(counts, failure) : counts),
        failures,
      ),
    };
  }

  /**
   * Tells whether a question has failed as all before it, and no other has ended otherwise: then
   * every other may meet it.
   */
  private mayMeetAll(failure: QuestionFailure | undefined): failure is QuestionFailure {
    return this.now.sums.done === 0 && this.isAlike(failure);
  }

  /** Tells whether it has failed as those that are held back for failing alike. */
  private isAlike(failure: QuestionFailure | undefined): failure is QuestionFailure {
    const { alike = [], settings } = this.now;
    if (!failure || !traitsOf(failure.type).commonIfFirst) return false;
    if (settings.pauseIfFirst === null) return false;
    const before = alike[0]?.failure;
    return !before || (before.type === failure.type && before.step === failure.step);
  }

  /** Keeps a question back until it is known whether every other would fail as it did. */
  private holdAlike(failing: FailedAlike): void {
    const { alike = [], pause, settings, waiting } = this.now;
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

  /** Counts what was held back for failing alike: another question has ended otherwise. */
  private countAlike(): void {
    const { alike = [], judge, seen } = this.now;
    if (alike.length === 0) return;
    const tallies = alike.flatMap(({ tally }) => tally ?? []);
    const failed = judge.failed + alike.length - tallies.length;
    this.change({ alike: [], seen: tallies.reduce(seeCost, seen), judge: { ...judge, failed } });
    this.countLate(tallies);
  }

  /** Counts questions whose cost was added when they ended. */
  private countLate(tallies: readonly Tally[]): void {
    const { spending } = this.now;
    this.change({
      ...this.counted(tallies),
      spending: tallies.reduce((before) => addCost(before, 0), spending),
    });
  }

  private pauseFor(failure: QuestionFailure): void {
    const { pause, settings } = this.now;
    const { type, message } = failure;
    if (pause && !isPassing(pause)) return;
    if (traitsOf(type).healedBy === 'mending' && settings.pauseAfter !== null)
      this.pauseAndProbe(failure, type);
    else this.change({ pause: this.since({ reason: type, message }) });
  }

  /** Keeps a question back until it shows whether the others fail as well. */
  private hold(failing: HeldQuestion, failure: QuestionFailure): void {
    const { pause, waiting, settings } = this.now;
    const held = [...this.now.held, failing];
    const isOut = isPassing(pause) || (!pause && held.length >= Number(settings.pauseAfter));
    if (isOut) {
      const again = held.map(({ question }) => forgiven(question));
      this.change({ held: [], waiting: [...waiting, ...again] });
      this.pauseAndProbe(failure, 'outage');
    } else {
      this.change({ held });
    }
  }

  /** Pauses, or puts the next probe of such a pause off. */
  private pauseAndProbe(failure: QuestionFailure, reason: Pause['reason']): void {
    const { pause, settings } = this.now;
    if (pause && !isPassing(pause)) return;
    const now = this.clock();
    const nextProbe = now + settings.probeSeconds * 1000;
    this.change({
      pause: { reason, message: passingMessage(failure), since: pause?.since ?? now, nextProbe },
    });
  }

  /** Ends an outage. A question that paid for a call shows that the provider is there. */
  private served({ calls, cachedCalls }: Usage): void {
    if (isPassing(this.now.pause)) this.change({ pause: null });
    if (calls > cachedCalls && this.now.held.length > 0) this.releaseHeld();
  }

  private since(pause: Pause): Pause {
    return { ...pause, since: this.clock() };
  }

  private change(to: Partial<Standing>): void {
    Object.assign(this.now, to);
    this.version++;
  }
}

function isCommon(failure: QuestionFailure | undefined): failure is QuestionFailure {
  return traitsOf(failure?.type).common === true;
}

/** Tells whether the run goes on by itself. */
function isPassing(pause: Pause | null): pause is Pause & { nextProbe: number } {
  return pause?.nextProbe !== undefined;
}
