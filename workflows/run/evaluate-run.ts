import { defineSearchAttributeKey } from '@temporalio/common';
import {
  allHandlersFinished,
  CancellationScope,
  condition,
  getExternalWorkflowHandle,
  setCurrentDetails,
  TemporalFailure,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import { dollars } from '../../core/dollars.js';
import type { ForkInput } from '../../core/run/fork-input.js';
import type { RunInput, RunSpec } from '../../core/run/input.js';
import { isFork } from '../../core/run/is-fork.js';
import type { Ending, RunProgress, Unbegun } from '../../core/run/run.js';
import { causeOf, ended } from '../failures.js';
import { continueOnCurrent, isOutdated, type Moved, movingFrom } from '../version.js';
import { openRun, readQuestions, recordAnswer, recordStopped } from './activities.js';
import { type CarriedWindow, canBeCarried, type InFlightQuestion } from './carried.js';
import { InFlightQuestions, type OnEnd } from './in-flight-questions.js';
import { costsSeenSignal, limitRates, listen } from './listen.js';
import { recordOf } from './question-child.js';
import type { QuestionWindow } from './question-window.js';
import { RunBook } from './run-book.js';
import { named } from './run-name.js';
import { ShardedQuestions } from './sharded-questions.js';
import { openingStanding, type Standing } from './standing.js';

/** Some five events each, and at most ten: far below the 51,200 that Temporal allows. */
const QUESTIONS_PER_HISTORY = 600;

/** Set by the server on what a schedule has started. */
const SCHEDULED_BY = defineSearchAttributeKey('TemporalScheduledById', 'KEYWORD');

/** A run that is not named is called after its workflow, as those of a schedule are. */
type StartedInput = Omit<RunInput, 'run'> & { run?: string };

/** What goes from one history of a run to the next. */
interface Carried extends Moved, CarriedWindow {
  standing: Standing;
}

/**
 * A sliding window of child workflows, one a question. Each records its own result, and gives back
 * no more than what is counted here. A run by batch has more of them under way than a workflow may
 * have children: there they are children of shards.
 *
 * When a history has grown long, or another version of the workers is the current one, the run
 * continues as new, without waiting for the questions under way: the next history takes them over. A
 * cancel reaches all of them, and the run ends after the last. Started once more, it asks what has
 * no answer yet, or a failed one.
 */
export async function evaluateRun(
  given: StartedInput,
  before?: Carried | null,
  questionsPerHistory = QUESTIONS_PER_HISTORY,
  placesPerShard?: number,
): Promise<RunProgress> {
  // The name it has is kept from then on, whatever a later history is started by.
  const input = before ? (given as RunInput) : nameOf(given);
  const state = new RunBook(before?.standing ?? openingStanding(input, Date.now()));
  const inFlight = windowOf(input, before, settle, placesPerShard);
  let hasTold = false;
  listen(state, inFlight);

  try {
    if (!before) await open();
    for (let begun = 0; ; ) {
      inFlight.throwFault();
      await tellCost();
      const { spec, from, waiting } = state.standing;
      if (waiting.length === 0 && from !== null && state.mayRead) {
        await readMore(spec, from);
        continue;
      }
      if (waiting.length === 0 && from === null && inFlight.size === 0) {
        if (!state.holdsAny) break;
        state.askHeld();
        continue;
      }
      const isToMove = isOutdated(before ?? {});
      if ((isToMove || isLong(begun)) && canBeCarried(carried())) return await goOnInNewHistory();

      // The window of a run by batch is so wide that it may not fit into the next history: it
      // narrows until it does.
      const isHeld = spec.transport !== undefined && isLong(begun);
      const question = isHeld ? undefined : state.next(inFlight.size, inFlight.widest);
      if (question) {
        inFlight.begin(spec, question);
        begun++;
      } else if (spec.endsAtPause && state.needsPerson && inFlight.size === 0) {
        break;
      } else {
        await change();
      }
    }
    await inFlight.close();
    await keepUnrecorded();
    await condition(allHandlersFinished);
    if (!state.needsPerson) state.finished();
    return state.progress(0);
  } catch (error) {
    // Any other error is a fault in our own code: the task is retried until a worker has a fix.
    if (error instanceof TemporalFailure) {
      await CancellationScope.nonCancellable(async () => {
        await inFlight.cancel();
        await keepUnrecorded();
      });
    }
    throw error;
  }

  async function open(): Promise<void> {
    const opened = await openRun(input).catch(refused);
    // As they are now: they may have been changed since the start.
    const { requestsPerMinute, tokensPerMinute } = state.standing.settings;
    await limitRates({
      ...(requestsPerMinute && { requestsPerMinute }),
      ...(tokensPerMinute && { tokensPerMinute }),
    });
    state.opened(opened);
    // By it the next start of the run is compared with this one.
    if (workflowInfo().memo?.input === undefined) upsertMemo({ input: toldOf(input, opened.spec) });
  }

  /** Tells the study of the run what a question costs, once, if the study did not know it. */
  async function tellCost(): Promise<void> {
    const { spec, seen, spending, settings } = state.standing;
    const { questionUsd } = state;
    const isAsked = settings.budgetUsd !== null && spec.costsSeen?.questions === 0;
    if (hasTold || !isAsked || questionUsd === null) return;
    hasTold = true;
    const { parent } = workflowInfo();
    if (!parent) return;
    const costs = seen.questions > 0 ? seen : { usd: questionUsd, questions: 1 };
    // The study may have ended: then nobody needs to know.
    const study = getExternalWorkflowHandle(parent.workflowId);
    await study.signal(costsSeenSignal, spec.run, costs, spending.usd).catch(noneIfFailed);
  }

  async function readMore(spec: RunSpec, from: number): Promise<void> {
    const { run, onlyJudge, retryBefore, retryUnreadable } = spec;
    const { left: most } = state.standing;
    try {
      const part = { ...(most && { most }), ...(retryBefore && { retryBefore }) };
      const which = {
        ...(onlyJudge && { onlyJudge }),
        ...(retryUnreadable && { retryUnreadable }),
      };
      state.read(await readQuestions({ run, from, ...part, ...which }));
    } catch (error) {
      const failure = { ...causeOf(error), step: null };
      if (!state.asksAgain(failure)) throw error;
      state.away(failure);
    }
  }

  /** Keeps what no answer tells of; without a store only the progress has it. */
  async function keepUnrecorded(): Promise<void> {
    const { spec, startedAt, unrecorded } = state.standing;
    if (!unrecorded) return;
    const stopped = { startedAt: new Date(startedAt).toISOString(), ...unrecorded };
    await recordStopped(spec.run, stopped).catch(noneIfFailed);
  }

  /** Waits until a question has ended, somebody has said something, or one is to be tried. */
  async function change(): Promise<void> {
    setCurrentDetails(describe(state.progress(inFlight.size)));
    const { version } = state;
    const { size } = inFlight;
    const hasChanged = () =>
      state.version !== version || inFlight.size !== size || inFlight.hasFault;
    const { pause } = state.standing;
    if (pause?.nextProbe === undefined || size > 0) await condition(hasChanged);
    else await condition(hasChanged, Math.max(pause.nextProbe - Date.now(), 1));
  }

  /** Counts what came of a question; records it where its workflow could not. */
  async function settle(
    { startedAt, ...question }: InFlightQuestion,
    ending: Ending,
  ): Promise<void> {
    const { tally, failure, unrecorded = false } = ending;
    if (ending.stopped) return state.stopped(question, ending);
    if (failure?.type === 'NotFound') return state.putFirst(question);
    if (unrecorded && state.asksAgain(failure)) return state.away(failure, question);
    if (question.toJudge) return state.settleJudged(question, ending);
    const record = recordOf(state.standing.spec.run, question);
    state.settle(question, tally ?? (await recordAnswer(record, null, failure ?? null, startedAt)));
  }

  function isLong(begun: number): boolean {
    return begun >= questionsPerHistory || workflowInfo().continueAsNewSuggested;
  }

  function carried(): Carried {
    return { standing: state.standing, ...inFlight.carried, ...movingFrom(before ?? {}) };
  }

  async function goOnInNewHistory(): Promise<never> {
    await inFlight.started();
    await condition(allHandlersFinished);
    const { dataset } = state.standing.spec;
    const stored = { ...input, dataset };
    return continueOnCurrent<typeof evaluateRun>(stored, carried(), questionsPerHistory);
  }
}

/** Returns what is kept of the input beside the run; a fork has the rest from the run that it is of. */
function toldOf(input: RunInput | ForkInput, spec: RunSpec): object {
  return isFork(input) ? spec : { ...input, dataset: spec.dataset };
}

/** Said to whoever starts a run, and by the clock nobody does: there it stays as a failed one. */
function refused(error: unknown): never {
  const detail: Unbegun = isScheduled() ? {} : { unbegun: true };
  throw ended(causeOf(error), detail, error);
}

function noneIfFailed(error: unknown): void {
  if (!(error instanceof TemporalFailure)) throw error;
}

function windowOf(
  input: RunInput,
  before: Carried | null | undefined,
  settle: OnEnd,
  placesPerShard: number | undefined,
): QuestionWindow {
  return input.transport
    ? new ShardedQuestions(before?.shards, settle, placesPerShard)
    : new InFlightQuestions(before?.underWay ?? [], settle);
}

function nameOf(given: StartedInput): RunInput {
  return named(given, workflowInfo().workflowId, isScheduled()) as RunInput;
}

function isScheduled(): boolean {
  return workflowInfo().typedSearchAttributes.get(SCHEDULED_BY) !== undefined;
}

/** Returns one line for the Temporal UI. */
function describe({ done, questions, running, outcomes, usage, pause }: RunProgress): string {
  const cost = usage.costUsd === null ? 'an unknown cost' : dollars(usage.costUsd);
  const now = pause ? `paused: ${pause.message}` : `${running} under way`;
  return `${done} of ${questions} done, ${outcomes.failed} of them failed; ${cost}; ${now}`;
}
