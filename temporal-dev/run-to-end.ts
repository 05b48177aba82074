import { killGroup, spawnKept } from './child.js';

/** Runs to the end in a group of its own, so that Ctrl-C reaches it through the signal only. */
export function runToEnd(
  [program = '', ...before]: readonly string[],
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<{ code: number | null; output: string }> {
  return new Promise((done, fail) => {
    signal?.throwIfAborted();
    const child = spawnKept(program, [...before, ...args], env, 'pipe');
    const kill = () => killGroup(child);
    let output = '';
    const take = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-20_000);
    };
    child.stdout?.on('data', take);
    child.stderr?.on('data', take);
    signal?.addEventListener('abort', kill, { once: true });
    child.once('error', fail);
    child.once('close', (code) => {
      signal?.removeEventListener('abort', kill);
      if (signal?.aborted) fail(signal.reason);
      else done({ code, output });
    });
  });
}
