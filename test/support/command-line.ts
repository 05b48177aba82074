/** Runs the command line as a person would, on the test run's Temporal server. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, onTestFinished } from 'vitest';
import { packageRoot } from '../../stores/package-root.js';
import { BUNDLE_FILE } from '../../workers/workflow-bundle.js';
import { begunHere, type Finished, Said } from './carried-out-here.js';
import { type ModelServerOptions, startModelServer } from './model-server.js';

export type CommandLine = Awaited<ReturnType<typeof commandLine>>;

type Begun = ReturnType<typeof begunHere>;

/** A process, which is told and ended as what is begun here. */
export type Running = ReturnType<typeof launched>;

/** Where a command is started, the package that it is of, and the Node that runs it. */
export interface Place {
  cwd?: string;
  root?: string;
  node?: string;
}

/** A home and a task queue of its own, so that nothing is shared with other tests. */
export async function commandLine(baseUrl: string) {
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
  const begin = (args: string[], env: NodeJS.ProcessEnv = {}) =>
    begunHere(args, { ...usual, ...env });
  const start = (args: string[], env: NodeJS.ProcessEnv = {}, place: Place = {}) =>
    launched(args, { ...usual, ...env }, place);
  const run = (args: string[], env?: NodeJS.ProcessEnv) => begin(args, env).finished;
  async function ok(args: string[], env?: NodeJS.ProcessEnv): Promise<Finished> {
    const ended = await run(args, env);
    expect(ended.code, ended.stderr).toBe(0);
    return ended;
  }
  const workers: Begun[] = [];
  async function polling<W extends Begun>(worker: W): Promise<W> {
    workers.push(worker);
    await worker.says('polls');
    return worker;
  }
  return {
    home,
    taskQueue,
    /** Writes a file of its home, a line for each record; gives its path. */
    async write(name: string, ...records: object[]) {
      const file = join(home, name);
      await writeFile(file, records.map((one) => `${JSON.stringify(one)}\n`).join(''));
      return file;
    },
    /** Starts the built `durable-rag` with these arguments, this one's unless it is placed. */
    start,
    /** Begins what it does in this process: its start takes most of the time of a command. */
    begin,
    /** The same to its end. */
    run,
    /** The same of one that has to end well; else the test fails with what it said. */
    ok,
    /** What such a one prints as a value. */
    json: async (args: string[], env?: NodeJS.ProcessEnv) =>
      JSON.parse((await ok([...args, '--json'], env)).stdout),
    /** Begins a worker so, and resolves once it polls. */
    worker: (env?: NodeJS.ProcessEnv) => polling(begin(['worker'], env)),
    /** Starts one as a process, and resolves once it polls. */
    workerProcess: (env?: NodeJS.ProcessEnv) => polling(start(['worker'], env)),
    /** Ends its workers, and removes its home. */
    async remove() {
      for (const { interrupt } of workers) interrupt();
      await Promise.all(workers.map(({ finished }) => finished));
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
) {
  if (!existsSync(BUNDLE_FILE)) {
    throw new Error('The command line is not built; run "npm run build" first.');
  }
  const child = spawn(node, [join(root, 'bin', 'durable-rag.js'), ...args], {
    ...(cwd !== undefined && { cwd }),
    env: { PATH: process.env.PATH, ...env },
  });
  const [stdout, stderr] = [new Said(), new Said()];
  child.stdout?.on('data', (chunk: Buffer) => stdout.add(chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => stderr.add(chunk.toString()));
  const finished = new Promise<Finished>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout: stdout.text, stderr: stderr.text }));
  });
  return {
    child,
    finished,
    ...stderr.heard(finished),
    interrupt: () => void child.kill('SIGINT'),
    /** What is on standard output and error so far. */
    output: () => stdout.text + stderr.text,
    /** Sends a signal and waits for the end; gives the exit code, null after a SIGKILL. */
    async end(signal: NodeJS.Signals) {
      child.kill(signal);
      return (await finished).code;
    },
  };
}
