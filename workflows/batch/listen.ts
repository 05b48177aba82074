/** What can be asked of a batch, and told to it, while it is under way. */
import { ApplicationFailure, defineQuery, defineUpdate, setHandler } from '@temporalio/workflow';
import type { BatchProgress, BatchSettings } from '../../methods/batch/batch.js';
import { checkSettings } from '../../methods/batch/settings.js';
import { Failure } from '../../methods/failure.js';
import { setRates } from './activities.js';
import type { BatchState } from './batch-state.js';
import type { InFlightQuestions } from './in-flight-questions.js';

export const batchProgressQuery = defineQuery<BatchProgress>('progress');
/** Each update gives the progress after it. */
export const pauseUpdate = defineUpdate<BatchProgress>('pause');
export const resumeUpdate = defineUpdate<BatchProgress>('resume');
export const setUpdate = defineUpdate<BatchProgress, [Partial<BatchSettings>]>('set');

export function listen(state: BatchState, inFlight: InFlightQuestions): void {
  const progress = () => state.progress(inFlight.size);
  setHandler(batchProgressQuery, progress);
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
    { validator: refuseBadSettings },
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

function refuseBadSettings(change: unknown): void {
  try {
    checkSettings(change);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw ApplicationFailure.nonRetryable(error.message, error.type);
  }
}
