/** What goes wrong around a batch, one thing after the other. */
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestServer } from '../stores/servers.js';
import type { TakeWrites } from '../stores/take-writes.js';
import type { Immortal } from './processes.js';
import type { Stage } from './stage.js';

export interface Disturbance {
  name: string;
  run(): Promise<void>;
}

/** When something was wrong, in milliseconds since the epoch. */
export interface Disturbed {
  name: string;
  from: number;
  to: number;
}

/** How long each of them lasts, in milliseconds. */
export interface Durations {
  /** A process that is stopped and goes on: longer than its heartbeats may stay away. */
  suspended: number;
  storeDown: number;
  storeReadOnly: number;
  diskFull: number;
  providerDown: number;
  /** A file that was edited is as it was after this. */
  edited: number;
}

/** @param takeWrites Makes the store read-only, and writable again. */
export function disturbancesOf(
  stage: Stage,
  takeWrites: TakeWrites | undefined,
  durations: Durations,
): Disturbance[] {
  const { server, workers, store, disk, model, prompts } = stage;
  const [first, second] = workers as [Immortal, Immortal];
  const kill = (victim: Immortal) => ({ name: `kill ${victim.name}`, run: victim.kill });
  const suspend = (victim: Immortal) => ({
    name: `suspend ${victim.name}`,
    run: () => victim.suspend(durations.suspended),
  });
  const found: (Disturbance | undefined)[] = [
    kill(first),
    store && { name: 'kill store', run: () => restart(store, durations.storeDown) },
    kill(server),
    suspend(second),
    store &&
      takeWrites && {
        name: 'store read-only',
        run: async () => {
          await takeWrites(store.url, false);
          await sleep(durations.storeReadOnly);
          await takeWrites(store.url, true);
        },
      },
    kill(second),
    disk && {
      name: 'disk full',
      run: async () => {
        await disk.fill();
        await sleep(durations.diskFull);
        await disk.free();
      },
    },
    {
      name: 'provider down',
      run: async () => {
        model.down = true;
        await sleep(durations.providerDown);
        model.down = false;
      },
    },
    suspend(first),
    {
      name: 'prompt edited',
      run: () => edited(join(prompts, 'validate.txt'), durations.edited),
    },
    kill(server),
    kill(first),
  ];
  return found.filter((one) => one !== undefined);
}

async function restart(store: TestServer, downMs: number): Promise<void> {
  await store.kill();
  await sleep(downMs);
  await store.start();
}

async function edited(file: string, ms: number): Promise<void> {
  const before = await readFile(file, 'utf8');
  await appendFile(file, '\nThink of nothing else.\n');
  await sleep(ms);
  await writeFile(file, before);
}

/**
 * Lets one thing go wrong after another, round after round, until it is said to stop.
 *
 * @param rounds How often everything goes wrong at most.
 * @param pauseMs Between two of them; then everything is well.
 * @returns What went wrong when.
 */
export async function disturb(
  disturbances: readonly Disturbance[],
  rounds: number,
  pauseMs: number,
  isOver: () => boolean,
): Promise<Disturbed[]> {
  const log: Disturbed[] = [];
  for (let k = 0; k < rounds * disturbances.length && !isOver(); k++) {
    await sleep(pauseMs);
    const next = disturbances[k % disturbances.length];
    if (!next || isOver()) break;
    const from = Date.now();
    await next.run();
    log.push({ name: next.name, from, to: Date.now() });
  }
  return log;
}
