import { condition } from '@temporalio/workflow';

/**
 * Waits until everything that came with this workflow task has been processed. A worker may get an
 * update with the ends of children before it or after them, depending on whether it has the history
 * at hand. With this wait, both orders give the same result.
 */
export async function takenIn(): Promise<void> {
  // The rest of the task is processed before any waiting code continues.
  await null;
  let checks = 0;
  // Conditions are checked again once all other code waits.
  await condition(() => checks++ > 0);
}
