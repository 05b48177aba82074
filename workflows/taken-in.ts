import { condition } from '@temporalio/workflow';

/**
 * Waits until all that comes with this workflow task is taken in. What an update changes after it
 * comes to the same, whether a worker is given the update with the ends of children before it, as one
 * that has no history at hand may be, or after them.
 */
export async function takenIn(): Promise<void> {
  // The rest of the task is given before anything that waits goes on.
  await null;
  let looks = 0;
  // Conditions are looked at again once nothing else goes on.
  await condition(() => looks++ > 0);
}
