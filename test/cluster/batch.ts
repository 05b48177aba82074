/** Waiting for a run that may be out of reach for a while. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BatchHandle } from '../../client/batch.js';

const POLL_MS = 300;

/** Until so many of the questions of a run have ended. @throws what the run fails with. */
export async function answered(handle: BatchHandle, count: number): Promise<void> {
  let over = false;
  const ended = handle.result().finally(() => {
    over = true;
  });
  async function reached(): Promise<void> {
    while (!over) {
      // Nobody answers while a server process is away.
      const progress = await handle.progress().catch(() => undefined);
      if (progress && progress.done >= count) return;
      await sleep(POLL_MS);
    }
  }
  await Promise.race([ended, reached()]);
}
