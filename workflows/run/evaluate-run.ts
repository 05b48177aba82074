import { defineSearchAttributeKey } from '@temporalio/common';
import {
  allHandlersFinished,
  CancellationScope,
  condition,
  getExternalWorkflowHandle,
  setCurrentDetails,
  TemporalFailure,
  upsertMemo,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { dollars } from '../../core/dollars.js';
import type { ForkInput } from '../../core/run/fork-input.js';
import type { RunInput, RunSpec } from '../../core/run/input.js';
import { isFork } from '../../core/run/is-fork.js';
import type { Ending, RunProgress, Unbegun } from '../../core/run/run.js';
import { causeOf, ended } from '../failures.js';
import { keywords } from '../search-attributes.js';
import { continueOnCurrent, isOutdated, type Moved, movingFrom } from '../version.js';
import { openRun, readQuestions, recordAnswer, recordStopped } from './activities.js';
import { type CarriedWindow, canBeCarried, type InFlightQuestion } from './carried.js';
import { InFlightQuestions, type OnEnd } from './in-flight-questions.js';
import { costsSeenSignal, limitRates, listen } from './listen.js';
import { recordOf } from './question-child.js';
import type { QuestionWindow } from './question-window.js';
import { openingStanding, RunBook, type Standing } from './run-book.js';
import { named } from './run-name.js';
import { ShardedQuestions } from './sharded-questions.js';

/**
 * Questions in one history. Each takes some five events and at most ten; Temporal allows 51,200.
 */
const QUESTIONS_PER_HISTORY = 600;

/** Search attribute that the server sets on workflows started by a schedule. */
const SCHEDULED_BY = defineSearchAttributeKey('TemporalScheduledById', 'KEYWORD');

/** An input that may lack a name; the run is then named after its workflow, as a schedule's are. */
type StartedInput = Omit<RunInput, 'run'> & { run?: string };

/** State carried from one history of a run to the next. */
interface Carried extends Moved, CarriedWindow {
  standing: Standing;
}

/**
 * Runs a sliding window of child workflows, one for each question. Each records its own result and
 * returns only what is counted here. A run by batch can have more questions under way than a
 * workflow may have children; then they are children of shards.
 *
 * If a history has grown long, or another version of the workers is current, the run continues as
 * new without waiting for the questions under way; the next history takes them over. A cancellation
 * reaches all of them, and the run ends after the last. A run that is started again asks questions
 * without an answer or with a failed one.
 */
export async function evaluateRun(
  given: StartedInput,
  before?: Carried | null,
  questionsPerHistory = QUESTIONS_PER_HISTORY,
  placesPerShard?: number,
): Promise<RunProgress> {
  // A run keeps its name in later histories, however they are started.
  const input = before ? (given as RunInput) : nameOf(given);
  const state = new RunBook(before?.standing ?? openingStanding(input, Date.now()));
  const inFlight = windowOf(input, before, handleEnding, placesPerShard);
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

      // The window of a run by batch may be too large for the next history. It then narrows until
      // it
      // fits.
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
    // The settings may have been changed since the start.
    const { requestsPerMinute, tokensPerMinute } = state.standing.settings;
    await limitRates({
      ...(requestsPerMinute && { requestsPerMinute }),
      ...(tokensPerMinute && { tokensPerMinute }),
    });
    state.opened(opened);
    labelTenant(state.standing.spec);
    // The next start of the run is compared with this input.
    if (workflowInfo().memo?.input === undefined)
      upsertMemo({ input: shownInput(input, opened.spec) });
  }

  /** Reports the cost of a question to the run's study, once, if the study did not know it. */
  async function tellCost(): Promise<void> {
    const { spec, seen, spending, settings } = state.standing;
    const { questionUsd } = state;
    const isAsked = settings.budgetUsd !== null && spec.costsSeen?.questions === 0;
    if (hasTold || !isAsked || questionUsd === null) return;
    hasTold = true;
    const { parent } = workflowInfo();
    if (!parent) return;
    const costs = seen.questions > 0 ? seen : { usd: questionUsd, questions: 1 };
    // The study may have ended and not need it any more.
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

  /** Records usage that no answer contains. Without a store, only the progress has it. */
  async function keepUnrecorded(): Promise<void> {
    const { spec, startedAt, unrecorded } = state.standing;
    if (!unrecorded) return;
    const stopped = { startedAt: new Date(startedAt).toISOString(), ...unrecorded };
    await recordStopped(spec.run, stopped).catch(noneIfFailed);
  }

  /** Waits until a question has ended, a signal or update has come, or a probe is due. */
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

  /** Counts how a question ended; records it if its workflow could not. */
  async function handleEnding(
    { startedAt, ...question }: InFlightQuestion,
    ending: Ending,
  ): Promise<void> {
    const { tally, failure, unrecorded = false } = ending;
    if (ending.stopped) return state.stopped(question, ending);
    if (failure?.type === 'NotFound') return state.putFirst(question);
    if (unrecorded && state.asksAgain(failure)) return state.away(failure, question);
    if (question.toJudge) return state.countJudged(question, ending);
    const record = recordOf(state.standing.spec.run, question);
    state.countQuestion(
      question,
      tally ?? (await recordAnswer(record, null, failure ?? null, startedAt)),
    );
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

/**
 * Returns the part of the input to show beside the run. A fork takes the rest from its parent run.
 */
function shownInput(input: RunInput | ForkInput, spec: RunSpec): object {
  return isFork(input) ? spec : { ...input, dataset: spec.dataset };
}

/**
 * Fails the workflow with the reason why the run is refused. A scheduled start has no caller, so
 * the failed workflow stays visible.
 */
function refused(error: unknown): never {
  const detail: Unbegun = isScheduled() ? {} : { unbegun: true };
  throw ended(causeOf(error), detail, error);
}

/** Lets workers find the runs of a tenant, which share its weight; later histories inherit the attribute. */
function labelTenant({ tenant, labelled }: RunSpec): void {
  if (labelled && tenant !== undefined) upsertSearchAttributes(keywords({ QaTenant: tenant }));
}

function noneIfFailed(error: unknown): void {
  if (!(error instanceof TemporalFailure)) throw error;
}

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

function nameOf(given: StartedInput): RunInput {
  return named(given, workflowInfo().workflowId, isScheduled()) as RunInput;
}

function isScheduled(): boolean {
  return workflowInfo().typedSearchAttributes.get(SCHEDULED_BY) !== undefined;
}

/** Returns one line for the Temporal UI. */
function describe({ done, questions, running, outcomes, usage, pause }: RunProgress): string {
  const cost = usage.costUsd === null ? 'an unknown cost' : dollars(usage.costUsd);
  const activity = pause ? `paused: ${pause.message}` : `${running} under way`;
  return `${done} of ${questions} done, ${outcomes.failed} of them failed; ${cost}; ${activity}`;
}
