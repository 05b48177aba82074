/** `durable-rag worker` as a process of its own, so that it can be killed. */
import { launched } from './command-line.js';

export interface WorkerProcess {
  /** Sends a signal and waits for the end; gives the exit code, null after a SIGKILL. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
  /** Stops it where it is, or lets it go on. */
  send(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** What it wrote to standard output and error. */
  output(): string;
}

/** @param env on top of PATH; everything else of this process's environment is left out. */
export function startWorkerProcess(env: Record<string, string>): WorkerProcess {
  const { child, finished, output } = launched(['worker'], env);
  return {
    output,
    send: (signal) => void child.kill(signal),
    async end(signal) {
      child.kill(signal);
      return (await finished).code;
    },
  };
}
