/** The folder of the store goes away under its workers, which then die. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from './stage.js';

/** So many requests are begun when it goes. */
const REQUESTS = 10;
/** Twice this is longer than a call may take: then its next attempt has what was paid for. */
const HELD_MS = 8_000;

/** How many requests were begun at a time. */
export interface Removed {
  from: number;
  /** When what was under way is over. */
  to: number;
  /** Some time later. */
  after: number;
}

/** Removes the folder, waits, and kills every worker: those that follow begin an empty store. */
export async function removeStore({
  model,
  home,
  workers,
}: Pick<Stage, 'model' | 'home' | 'workers'>): Promise<Removed> {
  const begun = () => model.server.requests.length;
  while (begun() < REQUESTS) await sleep(50);
  await rm(join(home, 'store'), { recursive: true });
  const from = begun();
  await sleep(HELD_MS);
  const to = begun();
  await sleep(HELD_MS);
  const after = begun();
  await Promise.all(workers.map((worker) => worker.kill()));
  return { from, to, after };
}
