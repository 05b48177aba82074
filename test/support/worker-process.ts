/** `durable-rag worker` as a process of its own, so that it can be killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../stores/package-root.js';
import { BUNDLE_FILE } from '../../workers/workflow-bundle.js';

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
  if (!existsSync(BUNDLE_FILE)) {
    throw new Error(`${BUNDLE_FILE} is missing: run "npm run build" before this test.`);
  }
  const child = spawn(process.execPath, [join(packageRoot(), 'bin', 'durable-rag.js'), 'worker'], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = exitOf(child);
  return {
    output: () => output,
    send: (signal) => void child.kill(signal),
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('exit', resolve);
    child.once('error', () => resolve(null));
  });
}
