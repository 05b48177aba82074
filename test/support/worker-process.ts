/** `durable-rag worker` as a process of its own, so that it can be killed. */
import { launched } from './command-line.js';

export type WorkerProcess = ReturnType<typeof startWorkerProcess>;

/** @param env on top of PATH; everything else of this process's environment is left out. */
export function startWorkerProcess(env: Record<string, string>) {
  const { child, finished, output } = launched(['worker'], env);
  return {
    /** What it wrote to standard output and error. */
    output,
    /** Sends a signal and waits for the end; gives the exit code, null after a SIGKILL. */
    async end(signal: 'SIGKILL' | 'SIGTERM') {
      child.kill(signal);
      return (await finished).code;
    },
  };
}
