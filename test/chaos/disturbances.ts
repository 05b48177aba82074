/** What goes wrong around a run, one thing after the other. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunHandle } from '../../client/run.js';
import type { TakeWrites } from '../stores/take-writes.js';
import { editPrompt } from './edits.js';
import type { Immortal } from './processes.js';
import type { Stage } from './stage.js';

export interface Disturbance {
  name: string;
  /** A text that it gives is what the product said to it. */
  run(): Promise<unknown>;
}

/** When something was wrong, in milliseconds since the epoch. */
export interface Disturbed {
  name: string;
  from: number;
  to: number;
  /** What the product said to it. */
  said?: string;
}

/** What there is to be disturbed. */
export interface Scene {
  stage: Stage;
  takeWrites: TakeWrites;
  /** The run that reads the prompt which is edited. */
  run: RunHandle;
}

/** How long each of them lasts, in milliseconds. */
export interface Durations {
  /** A process that is stopped and goes on: longer than its heartbeats may stay away. */
  suspended: number;
  /** The store or the search engine, before it is started again. */
  serverDown: number;
  storeReadOnly: number;
  diskFull: number;
  providerDown: number;
  /** A file that was edited is as it was after this. */
  edited: number;
}

/** @param isLong Whether some of them come twice, in another order. */
export function disturbancesOf(
  { stage, takeWrites, run }: Scene,
  durations: Durations,
  isLong: boolean,
): Disturbance[] {
  const { server, workers, store, search, disk, model, prompts } = stage;
  const [first, second] = workers as [Immortal, Immortal];
  const kill = (victim: Immortal) => ({ name: `kill ${victim.name}`, run: victim.kill });
  const suspend = (victim: Immortal) => ({
    name: `suspend ${victim.name}`,
    run: () => victim.suspend(durations.suspended),
  });
  const found: (Disturbance | undefined)[] = [
    kill(first),
    { name: 'kill store', run: () => restart(store, durations.serverDown) },
    kill(server),
    suspend(second),
    {
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
    search && { name: 'kill search', run: () => restart(search, durations.serverDown) },
    {
      name: 'prompt edited',
      run: () => editPrompt(join(prompts, 'validate.txt'), durations.edited, run),
    },
    ...(isLong ? [suspend(first), kill(server), kill(first)] : []),
  ];
  return found.filter((one) => one !== undefined);
}

async function restart(victim: Restarted, downMs: number): Promise<void> {
  await victim.kill();
  await sleep(downMs);
  await victim.start();
}

interface Restarted {
  kill(): Promise<void>;
  start(): Promise<void>;
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
    const said = await next.run();
    log.push({ name: next.name, from, to: Date.now(), ...(typeof said === 'string' && { said }) });
  }
  return log;
}
