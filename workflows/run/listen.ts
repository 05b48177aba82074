/** Queries, updates and signals of a run. */
import {
  ApplicationFailure,
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  setHandler,
} from '@temporalio/workflow';
import { Failure } from '../../core/failure.js';
import { badInput } from '../../core/options/problems.js';
import { POOLED_SIGNAL } from '../../core/provider-batches.js';
import type { CostsSeen, RunProgress, RunSettings } from '../../core/run/run.js';
import { checkSettings } from '../../core/run/run-settings.js';
import { setRates } from './activities.js';
import type { QuestionWindow } from './question-window.js';
import type { RunBook } from './run-book.js';

const runProgressQuery = defineQuery<RunProgress>('progress');
/** Each update returns the progress after it. */
const pauseUpdate = defineUpdate<RunProgress>('pause');
const resumeUpdate = defineUpdate<RunProgress>('resume');
const setUpdate = defineUpdate<RunProgress, [Partial<RunSettings>]>('set');

/** Sent by a call that was put into a pool: its expected cost, in US dollars. */
const pooledSignal = defineSignal<[number]>(POOLED_SIGNAL);

/** Signal from a study that pauses a run; it carries nothing. */
export const pauseSignal = defineSignal('pause');
/**
 * Signal from a run to its study: the run's name, the sum and number of its known question costs,
 * and what it has spent, in US dollars. It is sent as soon as a cost is known.
 */
export const costsSeenSignal =
  defineSignal<[run: string, costs: CostsSeen, spentUsd: number]>('costsSeen');

/** Sets the handlers of the queries, updates and signals of a run's workflow. */
export function setRunHandlers(state: RunBook, inFlight: QuestionWindow): void {
  const progress = () => state.progress(inFlight.size);
  setHandler(runProgressQuery, progress, { description: 'How far the run is.' });
  setHandler(pooledSignal, (costUsd) => state.pooled(costUsd));
  setHandler(pauseSignal, () => state.pause());
  setHandler(pauseUpdate, async () => {
    await wholeTaskProcessed();
    state.pause();
    return progress();
  });
  setHandler(resumeUpdate, async () => {
    await wholeTaskProcessed();
    state.resume();
    return progress();
  });
  setHandler(
    setUpdate,
    async (change) => {
      await wholeTaskProcessed();
      await limitRates(change);
      state.set(change);
      return progress();
    },
    { validator: (change: unknown) => refuseBadSettings(change, inFlight) },
  );
}

/**
 * Requests the rate limits that a change of settings contains for the workers' model queue, on
 * behalf of this workflow. Null withdraws its earlier request; a rate that is left out keeps its
 * limit.
 */
export async function limitRates(change: Partial<RunSettings>): Promise<void> {
  const { requestsPerMinute, tokensPerMinute } = change;
  const rates = {
    ...(requestsPerMinute !== undefined && { requestsPerMinute }),
    ...(tokensPerMinute !== undefined && { tokensPerMinute }),
  };
  if (Object.keys(rates).length > 0) await setRates(rates);
}

function refuseBadSettings(change: unknown, { widest }: QuestionWindow): void {
  try {
    const { concurrency = 1 } = checkSettings(change);
    if (concurrency <= widest) return;
    throw badInput('concurrency', `must be at most ${widest} if calls do not go by batch`);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw ApplicationFailure.nonRetryable(error.message, error.type);
  }
}

/**
 * Waits until everything that came with this workflow task has been processed. A worker that
 * replays the history may receive an update before the ends of children, one that has the workflow
 * in its cache after them, or the reverse. With this wait, both orders give the same result.
 */
export async function wholeTaskProcessed(): Promise<void> {
  // The rest of the task is processed before any waiting code continues.
  await null;
  let checks = 0;
  // Conditions are checked again once all other code waits.
  await condition(() => checks++ > 0);
}
