/** Runs steps in the workflow's own worker, without a task of their own. */
import { CancellationScope, isCancellation, proxyLocalActivities } from '@temporalio/workflow';
import type { QuestionActivities } from '../activities/question.js';

type LocalActivities = Pick<QuestionActivities, 'perfectOutput' | 'recordAnswer' | 'retrieve'>;

/** Returns the steps as local activities of one attempt each, with a line for the Temporal UI. */
export function locally(summary: string): LocalActivities {
  return proxyLocalActivities<LocalActivities>({
    startToCloseTimeout: '10s',
    retry: { maximumAttempts: 1 },
    summary,
  });
}

/**
 * Waits for a local activity until it ends or its scope is cancelled. The activity itself is never
 * cancelled: the SDK fails the task of a workflow that cancels one whose result came with the same
 * task.
 *
 * @throws CancelledFailure if the scope is cancelled.
 */
export function uncancelled<T>(local: () => Promise<T>): Promise<T> {
  const { cancelRequested } = CancellationScope.current();
  return Promise.race([CancellationScope.nonCancellable(local), cancelRequested]);
}

/**
 * Runs a step locally. If that fails for any reason, runs it as an activity with all its retries,
 * which another worker may take.
 */
export async function localFirst<T>(local: () => Promise<T>, usual: () => Promise<T>): Promise<T> {
  try {
    return await uncancelled(local);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return usual();
  }
}
