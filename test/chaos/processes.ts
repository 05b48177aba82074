/** Processes that are killed, stopped and started again, as often as the test likes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../stores/package-root.js';

/** A process that is there again as soon as it has died. */
export type Immortal = ReturnType<typeof immortal>;

/** A worker may find the server gone when it starts; it is then started again after this. */
const RESTART_MS = 300;

/** Starts a process with `start`, again and again. */
export function immortal(name: string, start: () => ChildProcess) {
  let ended = false;
  let child = start();
  const revive = async () => {
    await sleep(RESTART_MS);
    if (ended) return;
    child = start();
    child.once('exit', revive);
  };
  child.once('exit', revive);
  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
  return {
    name,
    /** SIGKILL; resolves when it is gone. */
    kill,
    /** SIGSTOP, and SIGCONT after so many milliseconds: it is alive, and does nothing. */
    async suspend(ms: number) {
      const suspended = child;
      suspended.kill('SIGSTOP');
      await sleep(ms);
      suspended.kill('SIGCONT');
    },
    /** SIGKILL for good. */
    async end() {
      ended = true;
      await kill();
    },
  };
}

/** A worker process of the built package. @param clockMs How far its clock is ahead. */
export function immortalWorker(
  name: string,
  env: Record<string, string>,
  clockMs: number,
): Immortal {
  const program = join(packageRoot(), 'bin', 'durable-rag.js');
  const clock = new URL('./clock.mjs', import.meta.url).href;
  return immortal(name, () =>
    spawn(process.execPath, ['--import', clock, program, 'worker'], {
      env: { PATH: process.env.PATH, CLOCK_MS: String(clockMs), ...env },
      stdio: 'ignore',
    }),
  );
}

/** A Temporal server whose data outlives it; resolves when it serves. */
export async function immortalServer(folder: string, port: number): Promise<Immortal> {
  const script = fileURLToPath(new URL('./temporal-process.mjs', import.meta.url));
  let served: (() => void) | undefined;
  let failed: ((error: Error) => void) | undefined;
  const ready = new Promise<void>((resolve, reject) => {
    served = resolve;
    failed = reject;
  });
  const server = immortal('Temporal', () => {
    const child = spawn(process.execPath, [script, folder, String(port)], {
      env: process.env,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.once('message', () => served?.());
    // A kill has no code; what ends by itself would do so for ever.
    child.once(
      'exit',
      (code) => code && failed?.(new Error('The Temporal server does not start.')),
    );
    return child;
  });
  await ready;
  return server;
}
