/** Keeps account of a batch: what is to be asked, what came of it, whether more may begin. Pure. */
import type { PageQuestion, ReadQuestions } from '../../activities/batch/read-questions.js';
import type {
  BatchProgress,
  BatchSettings,
  Ending,
  JudgeProgress,
  KeptSums,
  Pause,
  Tally,
} from '../../methods/batch/batch.js';
import { addCost, budgetGate, nothingSpent, type Spending } from '../../methods/batch/budget.js';
import { addFailure, type FailureCount } from '../../methods/batch/failure-counts.js';
import type { Batch } from '../../methods/batch/input.js';
import { settingsOf } from '../../methods/batch/settings.js';
import { addScores, addSums, addTally, noSums } from '../../methods/batch/sums.js';
import { COMMON_FAILURES } from '../../methods/failure.js';
import type { QuestionFailure } from '../../methods/result.js';
import { addUsage, noUsage, type Usage } from '../../methods/usage.js';

/** Where a batch stands, as it goes from one history to the next. */
export interface Standing {
  /** As it was started with until it is opened, then with every default. */
  batch: Batch;
  state: BatchProgress['state'];
  pause: Pause | null;
  settings: BatchSettings;
  /** How many there are. */
  questions: number;
  sums: KeptSums;
  usage: Usage;
  /** Missing in what a history of an earlier version hands over, as the next. */
  earlier?: Usage;
  failures?: FailureCount[];
  spending: Spending;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** Read and not begun yet. */
  waiting: PageQuestion[];
  judge: JudgeProgress;
  /** Where the next questions are read; null after the last. */
  from: number | null;
}

/** @param input Not checked yet. */
export function openingStanding(input: unknown, startedAt: number): Standing {
  const batch = Object(input) as Batch;
  return {
    batch,
    state: 'opening',
    pause: null,
    settings: settingsOf(batch),
    questions: 0,
    sums: noSums,
    usage: noUsage,
    spending: nothingSpent,
    startedAt,
    waiting: [],
    judge: { usage: noUsage, failed: 0 },
    from: 0,
  };
}

export class BatchState {
  private readonly now: Standing;
  /** Grows with every change, so that whoever waits for one can tell. */
  version = 0;

  constructor(before: Standing) {
    this.now = { ...before };
  }

  get standing(): Readonly<Standing> {
    return this.now;
  }

  /** @param running Questions under way. */
  progress(running: number): BatchProgress {
    const { batch, state, pause, settings, questions, sums, usage, judge, startedAt } = this.now;
    const { earlier = noUsage, failures = [] } = this.now;
    return {
      run: batch.run,
      method: batch.method,
      state: state === 'running' && pause ? 'paused' : state,
      pause,
      settings,
      questions,
      running,
      ...sums,
      usage,
      ...(earlier.calls > 0 && { earlier }),
      ...(failures.length > 0 && { failures }),
      ...(batch.judge !== undefined && { judge }),
      startedAt,
    };
  }

  /** The input was found good and the data set read. */
  opened(batch: Batch, questions: number): void {
    this.change({ batch, questions, state: 'running' });
  }

  finished(): void {
    this.change({ state: 'finished', pause: null });
  }

  /** The next questions were read; those passed over have been done by an earlier start. */
  read({ questions, kept, earlier = noUsage, next }: ReadQuestions): void {
    const { waiting, sums } = this.now;
    this.change({
      waiting: [...waiting, ...questions],
      sums: addSums(sums, kept),
      earlier: addUsage(this.now.earlier ?? noUsage, earlier),
      from: next,
    });
  }

  /** Takes the next question, if one may begin; pauses where that is what the budget says. */
  next(running: number): PageQuestion | undefined {
    const { waiting, pause, settings, spending } = this.now;
    const [first, ...rest] = waiting;
    if (!first || pause || running >= settings.concurrency) return undefined;
    const gate = budgetGate(spending, settings.budgetUsd, running);
    if (gate === 'wait') return undefined;
    if (gate !== 'begin') {
      this.change({ pause: gate });
      return undefined;
    }
    this.change({ waiting: rest });
    return first;
  }

  /**
   * A question has ended. One that failed by what every question would meet pauses the batch and is
   * asked again later; what it has paid for is counted now, since the response cache has it then.
   */
  settle(question: PageQuestion, tally: Tally): void {
    const { usage, spending, sums, failures = [] } = this.now;
    const { failure, toJudge } = tally;
    const isCommon = failure !== undefined && COMMON_FAILURES.has(failure.type);
    this.change({
      usage: addUsage(usage, tally.usage),
      spending: addCost(spending, tally.usage.costUsd, isCommon ? 0 : 1),
      ...(!isCommon && { sums: addTally(sums, tally) }),
      ...(failure && !isCommon && { failures: addFailure(failures, failure) }),
    });
    if (isCommon) this.pauseFor(failure);
    if (isCommon || toJudge) this.putFirst({ ...question, ...(toJudge && { toJudge }) });
  }

  /** The answer to a question has been judged, or could not be. */
  settleJudged(question: PageQuestion, { judged, failure, usage = noUsage }: Ending): void {
    const { judge, spending, sums } = this.now;
    const took = judged?.usage ?? usage;
    const isCommon = failure !== undefined && COMMON_FAILURES.has(failure.type);
    this.change({
      judge: {
        usage: addUsage(judge.usage, took),
        failed: judge.failed + (failure && !isCommon ? 1 : 0),
      },
      spending: addCost(spending, took.costUsd, 0),
      sums: addScores(sums, judged?.scores ?? {}),
    });
    if (isCommon) {
      this.pauseFor(failure);
      this.putFirst(question);
    }
  }

  /** Puts a question in front of those that wait. */
  putFirst(question: PageQuestion): void {
    this.change({ waiting: [question, ...this.now.waiting] });
  }

  /** Begins nothing more until `resume`; what is under way goes on. */
  pause(): void {
    const { pause } = this.now;
    this.change({ pause: pause ?? { reason: 'user', message: 'Paused until it is resumed.' } });
  }

  /** Costs that are not known are let be: the budget goes on with those that are. */
  resume(): void {
    this.change({ pause: null, spending: { ...this.now.spending, unpriced: 0 } });
  }

  set(settings: Partial<BatchSettings>): void {
    this.change({ settings: { ...this.now.settings, ...settings } });
  }

  private pauseFor({ type, message }: QuestionFailure): void {
    this.change({ pause: this.now.pause ?? { reason: type, message } });
  }

  private change(to: Partial<Standing>): void {
    Object.assign(this.now, to);
    this.version++;
  }
}
