/** Waiting for a run that may be out of reach for a while. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { DurableRagClient } from '../../client/create-client.js';

const POLL_MS = 300;

/** Until so many of the questions of a run have ended. @throws Error with what the run failed of. */
export async function answered(
  client: DurableRagClient,
  run: string,
  count: number,
): Promise<void> {
  for (;;) {
    // Nobody answers while a server process is away.
    const summary = await client.describeRun(run).catch(() => undefined);
    if (summary?.progress && summary.progress.done >= count) return;
    if (summary?.failure) throw new Error(`${run} has failed: ${summary.failure.message}`);
    await sleep(POLL_MS);
  }
}
