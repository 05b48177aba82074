/** The workflow of a run: asks the questions of a data set, each by a workflow of its own. */
import {
  allHandlersFinished,
  CancellationScope,
  condition,
  setCurrentDetails,
  TemporalFailure,
  workflowInfo,
} from '@temporalio/workflow';
import { dollars } from '../../core/dollars.js';
import type { RunInput } from '../../core/run/input.js';
import type { RunProgress } from '../../core/run/run.js';
import { continueOnCurrent, isOutdated, movingFrom, type VersionMove } from '../version.js';
import {
  costReporter,
  countEnding,
  openInBook,
  readPage,
  recordUnrecorded,
  type StartedInput,
  withRunName,
} from './bookkeeping.js';
import { InFlightQuestions, type OnEnd } from './in-flight-questions.js';
import { setRunHandlers } from './listen.js';
import { type CarriedWindow, canBeCarried, type QuestionWindow } from './question-window.js';
import { RunBook } from './run-book.js';
import { initialBookState, type RunBookState } from './run-state.js';
import { ShardedQuestions } from './sharded-questions.js';

/**
 * Maximum number of questions in one history. Each takes about five events and at most ten;
 * Temporal allows 51,200.
 */
const QUESTIONS_PER_HISTORY = 600;

/** State carried from one history of a run to the next. */
interface Carried extends VersionMove, CarriedWindow {
  standing: RunBookState;
}

/**
 * The workflow of a run. It asks the questions of a data set through a sliding window of child
 * workflows, one for each question. Each child records its own answer and returns only what the run
 * counts. A run by batch can have more questions under way than a workflow may have children; then
 * they are children of shards.
 *
 * If a history has grown long, or another version of the workers is current, the run continues as
 * new without waiting for the questions under way; the next history takes them over. A cancellation
 * reaches all of them, and the run ends after the last. A run that is started again asks the
 * questions without an answer or with a failed one.
 *
 * @returns The final progress.
 */
export async function evaluateRun(
  given: StartedInput,
  before?: Carried | null,
  questionsPerHistory = QUESTIONS_PER_HISTORY,
  placesPerShard?: number,
): Promise<RunProgress> {
  // A run keeps its name in later histories, however they are started.
  const input = before ? (given as RunInput) : withRunName(given);
  const book = new RunBook(before?.standing ?? initialBookState(input, Date.now()));
  const onEnd: OnEnd = (asked, ending) => countEnding(book, asked, ending);
  const inFlight = windowOf(input, before, onEnd, placesPerShard);
  const reportCost = costReporter(book);
  setRunHandlers(book, inFlight);

  try {
    if (!before) await openInBook(book, input);
    if ((await askQuestions()) === 'to move') return await goOnInNewHistory();
    await inFlight.close();
    await recordUnrecorded(book);
    await condition(allHandlersFinished);
    if (!book.needsPerson) book.finished();
    return book.progress(0);
  } catch (error) {
    // Any other error is a fault in our own code: the task is retried until a worker has a fix.
    if (error instanceof TemporalFailure) {
      await CancellationScope.nonCancellable(async () => {
        await inFlight.cancel();
        await recordUnrecorded(book);
      });
    }
    throw error;
  }

  /** Asks until every question has ended, a person is needed, or a new history has to continue. */
  async function askQuestions(): Promise<'over' | 'to move'> {
    for (let begun = 0; ; ) {
      inFlight.throwFault();
      await reportCost();
      const { spec, from, waiting } = book.standing;
      if (waiting.length === 0 && from !== null && book.mayRead) {
        await readPage(book, from);
        continue;
      }
      if (waiting.length === 0 && from === null && inFlight.size === 0) {
        if (!book.holdsAny) return 'over';
        book.askHeld();
        continue;
      }
      const isLong = begun >= questionsPerHistory || workflowInfo().continueAsNewSuggested;
      if ((isOutdated(before ?? {}) || isLong) && canBeCarried(carried())) return 'to move';

      // The window of a run by batch may be too large for the next history. Then it narrows until it
      // fits.
      const isNarrowing = spec.transport !== undefined && isLong;
      const question = isNarrowing ? undefined : book.next(inFlight.size, inFlight.widest);
      if (question) {
        inFlight.begin(spec, question);
        begun++;
      } else if (spec.endsAtPause && book.needsPerson && inFlight.size === 0) {
        return 'over';
      } else {
        await change();
      }
    }
  }

  /** Waits until a question has ended, a signal or update has come, or a probe is due. */
  async function change(): Promise<void> {
    setCurrentDetails(describe(book.progress(inFlight.size)));
    const { version } = book;
    const { size } = inFlight;
    const hasChanged = () =>
      book.version !== version || inFlight.size !== size || inFlight.hasFault;
    const { pause } = book.standing;
    if (pause?.nextProbe === undefined || size > 0) await condition(hasChanged);
    else await condition(hasChanged, Math.max(pause.nextProbe - Date.now(), 1));
  }

  function carried(): Carried {
    return { standing: book.standing, ...inFlight.carried, ...movingFrom(before ?? {}) };
  }

  async function goOnInNewHistory(): Promise<never> {
    await inFlight.started();
    await condition(allHandlersFinished);
    const { dataset } = book.standing.spec;
    const stored = { ...input, dataset };
    return continueOnCurrent<typeof evaluateRun>(stored, carried(), questionsPerHistory);
  }
}

/** Returns the window of questions under way, with those that an earlier history left. */
function windowOf(
  input: RunInput,
  before: Carried | null | undefined,
  onEnd: OnEnd,
  placesPerShard: number | undefined,
): QuestionWindow {
  return input.transport
    ? new ShardedQuestions(before?.shards, onEnd, placesPerShard)
    : new InFlightQuestions(before?.underWay ?? [], onEnd);
}

/** Returns one line for the Temporal UI. */
function describe({ done, questions, running, outcomes, usage, pause }: RunProgress): string {
  const cost = usage.costUsd === null ? 'an unknown cost' : dollars(usage.costUsd);
  const activity = pause ? `paused: ${pause.message}` : `${running} under way`;
  return `${done} of ${questions} done, ${outcomes.failed} of them failed; ${cost}; ${activity}`;
}
