/** What can be asked of a batch, and told to it, while it is under way. */
import {
  ApplicationFailure,
  defineQuery,
  defineSignal,
  defineUpdate,
  setHandler,
} from '@temporalio/workflow';
import { POOLED_SIGNAL } from '../../core/batch-transport.js';
import { Failure } from '../../core/failure.js';
import { badInput } from '../../core/options/problems.js';
import type { BatchProgress, BatchSettings } from '../../core/run/batch.js';
import { checkSettings } from '../../core/run/settings.js';
import { setRates } from './activities.js';
import type { BatchState } from './batch-state.js';
import type { QuestionWindow } from './in-flight-questions.js';

export const batchProgressQuery = defineQuery<BatchProgress>('progress');
/** Each update gives the progress after it. */
export const pauseUpdate = defineUpdate<BatchProgress>('pause');
export const resumeUpdate = defineUpdate<BatchProgress>('resume');
export const setUpdate = defineUpdate<BatchProgress, [Partial<BatchSettings>]>('set');

/** From a call that was put into a pool: what it is expected to cost, in US dollars. */
export const pooledSignal = defineSignal<[number]>(POOLED_SIGNAL);

export function listen(state: BatchState, inFlight: QuestionWindow): void {
  const progress = () => state.progress(inFlight.size);
  setHandler(batchProgressQuery, progress);
  setHandler(pooledSignal, (costUsd) => state.pooled(costUsd));
  setHandler(pauseUpdate, () => {
    state.pause();
    return progress();
  });
  setHandler(resumeUpdate, () => {
    state.resume();
    return progress();
  });
  setHandler(
    setUpdate,
    async (change) => {
      await limitRates(change);
      state.set(change);
      return progress();
    },
    { validator: (change: unknown) => refuseBadSettings(change, inFlight) },
  );
}

/** Tells the workers' model queue those of the rates that are there; null lifts one. */
export async function limitRates(change: Partial<BatchSettings>): Promise<void> {
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
    throw badInput('concurrency', `must be at most ${widest} where calls do not go by batch`);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw ApplicationFailure.nonRetryable(error.message, error.type);
  }
}
