/** `--task-queue`: before or behind the command, and before what a config file or the environment says. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { CliContext } from '../../cli/context.js';
import { CommandFailure, errorJson } from '../../cli/exit-codes.js';
import { onQueue, reporterOnQueue } from '../../cli/on-queue.js';
import { show } from '../../cli/output.js';
import { createProgram } from '../../cli/program.js';
import { Failure } from '../../core/failure.js';
import { readConfig } from '../../workers/config.js';
import { quietReporter } from '../support/quiet-reporter.js';

const bare = {
  ...{ env: {}, home: '', reporter: quietReporter },
  signal: new AbortController().signal,
};

/** The task queue that a command works with, and what else it is given. */
async function typed(...words: string[]): Promise<CliContext> {
  const context: CliContext = {
    env: { DURABLE_RAG_TASK_QUEUE: 'of-the-environment' },
    home: '',
    reporter: quietReporter,
    signal: new AbortController().signal,
  };
  const print = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => print.mockRestore());
  const program = createProgram(context, async (command) => void (await command()));
  await program.parseAsync(words, { from: 'user' });
  return context;
}

const queueOf = ({ env }: CliContext) => readConfig(env).taskQueue;

it('is taken wherever it stands', async () => {
  expect(queueOf(await typed('methods'))).toBe('of-the-environment');
  expect(queueOf(await typed('methods', '--task-queue', 'qa'))).toBe('qa');
  expect(queueOf(await typed('--task-queue', 'qa', 'methods', '--json'))).toBe('qa');
});

it('goes before what a config file says', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'durable-rag-queue-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'config.mjs');
  await writeFile(file, "export default { env: { DURABLE_RAG_TASK_QUEUE: 'of-the-file' } };\n");
  expect(queueOf(await typed('methods', '--config', file))).toBe('of-the-file');
  expect(queueOf(await typed('methods', '--config', file, '--task-queue', 'qa'))).toBe('qa');
});

it('is in what is to be typed next', () => {
  const next = 'start workers of qa: durable-rag worker --versioned, then durable-rag runs';
  expect(onQueue(next, undefined)).toBe(next);
  expect(onQueue(next, 'qa')).toBe(
    'start workers of qa: durable-rag --task-queue qa worker --versioned, then durable-rag --task-queue qa runs',
  );
  expect(onQueue('durable-rag runs', "it's")).toBe("durable-rag --task-queue 'it'\\''s' runs");
});

it('is in each command that there is, and in no other sentence', () => {
  const program = createProgram({ ...bare }, async () => {});
  for (const command of program.commands) {
    expect(onQueue(`durable-rag ${command.name()}`, 'qa')).toBe(
      `durable-rag --task-queue qa ${command.name()}`,
    );
  }
  const others =
    'durable-rag did not make it; durable-rag reads 2; durable-rag cannot; a durable-rag statue';
  expect(onQueue(others, 'qa')).toBe(others);
});

it('is in the JSON fields that say what to type next, and in no text of an answer', () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const value = [
    { next: 'durable-rag attach a', answer: 'durable-rag attach a' },
    { next: null, at: new Date(0) },
    { schedules: [{ next: [new Date(0)] }] },
  ];
  const shown = (taskQueue?: string) => {
    show({ ...bare, json: true, taskQueue }, value, '');
    return JSON.parse(String(write.mock.lastCall?.[0]));
  };
  const time = new Date(0).toISOString();
  const rest = [{ next: null, at: time }, { schedules: [{ next: [time] }] }];
  expect(shown()).toEqual([value[0], ...rest]);
  expect(shown('qa')).toEqual([
    { next: 'durable-rag --task-queue qa attach a', answer: 'durable-rag attach a' },
    ...rest,
  ]);
});

it('is in warnings, in lines about a part and in failures', () => {
  const told: string[] = [];
  const reporter = reporterOnQueue(
    {
      ...quietReporter,
      part: (name, text) => void told.push(`${name}: ${text}`),
      warn: (text, fields) => void told.push(`${fields?.level}: ${text}`),
    },
    'qa',
  );
  reporter.part('Left', '"durable-rag attach r" shows it again');
  reporter.warn('start one with durable-rag worker', { level: 'error' });
  expect(told).toEqual([
    'Left: "durable-rag --task-queue qa attach r" shows it again',
    'error: start one with durable-rag --task-queue qa worker',
  ]);

  const failure = new Failure('Connection', 'start one with "durable-rag dev".');
  const error = new CommandFailure(8, failure, 'durable-rag retry r');
  expect(errorJson(error, 'qa')).toEqual({
    error: {
      type: 'Connection',
      message: 'start one with "durable-rag --task-queue qa dev".',
      next: 'durable-rag --task-queue qa retry r',
    },
    exitCode: 8,
  });
});

it('is what a command says with', async () => {
  const context = await typed('methods', '--task-queue', 'qa');
  const part = vi.spyOn(quietReporter, 'part').mockReturnValue();
  onTestFinished(() => part.mockRestore());
  context.reporter.part('Next', 'durable-rag runs');
  expect(part).toHaveBeenCalledWith('Next', 'durable-rag --task-queue qa runs');
});
