/** Runs the command line as a person would, on the test run's Temporal server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { packageRoot } from '../../stores/package-root.js';
import { BUNDLE_FILE } from '../../workers/workflow-bundle.js';
import { carriedOutHere } from './carried-out-here.js';
import { type ModelServerOptions, startModelServer } from './model-server.js';

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface CommandLine {
  home: string;
  taskQueue: string;
  /** Starts the built `durable-rag` with these arguments. */
  start(args: string[], env?: NodeJS.ProcessEnv): Running;
  /** Does what it does, in this process: its start takes most of the time of a command. */
  run(args: string[], env?: NodeJS.ProcessEnv): Promise<Finished>;
  /** Starts a worker, and resolves once it polls. */
  worker(env?: NodeJS.ProcessEnv): Promise<Running>;
  /** Ends its workers, and removes its home. */
  remove(): Promise<void>;
}

export interface Running {
  child: ChildProcess;
  finished: Promise<Finished>;
  /** Resolves once standard error holds the text; rejects if the process ends before. */
  says(text: string): Promise<void>;
  /** What is on standard error so far. */
  said(): string;
  /** What is on standard output and error so far. */
  output(): string;
  /** Sends a signal and waits for the end; gives the exit code, null after a SIGKILL. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

interface Place {
  cwd?: string;
  root?: string;
  node?: string;
}

/**
 * A home and a task queue of its own, so that nothing is shared with other tests.
 *
 * @param place Where it is started, the package that it is of, and the Node that runs it.
 */
export async function commandLine(baseUrl: string, place: Place = {}): Promise<CommandLine> {
  const home = await mkdtemp(join(tmpdir(), 'durable-rag-cli-'));
  const taskQueue = `cli-${randomUUID()}`;

  const usual = {
    HOME: home,
    NO_COLOR: '1',
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    OPENAI_BASE_URL: baseUrl,
    OPENAI_API_KEY: 'sk-test-secret',
    DURABLE_RAG_HOME: home,
    DURABLE_RAG_TASK_QUEUE: taskQueue,
  };
  const start = (args: string[], env: NodeJS.ProcessEnv = {}) =>
    launched(args, { ...usual, ...env }, place);
  const isPlaced = Object.keys(place).length > 0;
  const workers: Running[] = [];
  return {
    home,
    taskQueue,
    start,
    run: (args, env) =>
      isPlaced ? start(args, env).finished : carriedOutHere(args, { ...usual, ...env }),
    async worker(env) {
      const worker = start(['worker'], env);
      workers.push(worker);
      await worker.says('polls');
      return worker;
    },
    async remove() {
      await Promise.all(workers.map((worker) => worker.end('SIGINT')));
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** A command line over a model server that replies so, both until the test has ended. */
export async function commandLineOver(reply: ModelServerOptions['reply']) {
  const server = await startModelServer({ reply });
  const cli = await commandLine(server.baseUrl);
  onTestFinished(async () => {
    await cli.remove();
    await server.close();
  });
  return { server, cli };
}

/** Starts `durable-rag` with this environment on top of PATH. */
export function launched(
  args: string[],
  env: NodeJS.ProcessEnv,
  { cwd, root = packageRoot(), node = process.execPath }: Place = {},
): Running {
  if (!existsSync(BUNDLE_FILE)) {
    throw new Error('The command line is not built; run "npm run build" first.');
  }
  const child = spawn(node, [join(root, 'bin', 'durable-rag.js'), ...args], {
    ...(cwd !== undefined && { cwd }),
    env: { PATH: process.env.PATH, ...env },
  });
  let stdout = '';
  let stderr = '';
  const heard = new Set<() => void>();
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    for (const listener of heard) listener();
  });
  const finished = new Promise<Finished>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
  return {
    child,
    finished,
    said: () => stderr,
    output: () => stdout + stderr,
    async end(signal) {
      child.kill(signal);
      return (await finished).code;
    },
    says: (text) =>
      new Promise((resolve, reject) => {
        const listen = () => {
          if (!stderr.includes(text)) return;
          heard.delete(listen);
          resolve();
        };
        heard.add(listen);
        listen();
        finished.then(
          () => reject(new Error(`It ended without saying "${text}": ${stderr}`)),
          reject,
        );
      }),
  };
}
