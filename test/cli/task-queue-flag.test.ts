/** `--task-queue`: before or behind the command, and before what a config file or the environment says. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { CliContext } from '../../cli/context.js';
import { createProgram } from '../../cli/program.js';
import { addSettings, typedSettings, withoutTypedSettings } from '../../cli/setting-flags.js';
import { command, setGlobalFlags } from '../../core/command.js';
import { openRuns } from '../../evaluation/runs/run-source.js';
import { readConfig } from '../../workers/config.js';
import type { DurableRagOptions } from '../../workers/worker-options.js';
import { cliContext, printedBy } from '../support/cli-context.js';
import { temporaryFolder } from '../support/folder.js';

vi.mock('../../cli/worker.js', () => ({ worker: async () => 0 }));

/** The task queue that a command works with, and what else it is given. */
async function typed(...words: string[]): Promise<CliContext> {
  const context = cliContext({ env: { DURABLE_RAG_TASK_QUEUE: 'of-the-environment' } });
  onTestFinished(() => setGlobalFlags([]));
  const program = createProgram(context, async (command) => void (await command()));
  await printedBy(() => program.parseAsync(words, { from: 'user' }));
  return context;
}

const queueOf = ({ env }: CliContext) => readConfig(env).taskQueue;

it('is taken wherever it stands', async () => {
  expect(queueOf(await typed('methods'))).toBe('of-the-environment');
  expect(queueOf(await typed('methods', '--task-queue', 'qa'))).toBe('qa');
  expect(queueOf(await typed('--task-queue', 'qa', 'methods', '--json'))).toBe('qa');
});

it('is named by the messages of a worker, which are read in other shells', async () => {
  await typed('worker');
  expect(command('deploy', 'promote', 'a')).toBe(
    'durable-rag --task-queue of-the-environment deploy promote a',
  );
  await typed('worker', '--task-queue', 'qa');
  expect(command('status', 'n')).toBe('durable-rag --task-queue qa status n');
  await typed('methods');
  expect(command('status', 'n')).toBe('durable-rag status n');
});

it('goes before what a config file says', async () => {
  const file = join(await temporaryFolder(), 'config.mjs');
  await writeFile(file, "export default { env: { DURABLE_RAG_TASK_QUEUE: 'of-the-file' } };\n");
  expect(queueOf(await typed('methods', '--config', file))).toBe('of-the-file');
  expect(queueOf(await typed('methods', '--config', file, '--task-queue', 'qa'))).toBe('qa');
});

it('is checked as the setting is, with every other flag that stands for one', async () => {
  const config = { only: ['models'], limits: { concurrency: 9, graceSeconds: 5 } };
  const flags = { DURABLE_RAG_ONLY: 'retrieval', DURABLE_RAG_CONCURRENCY: '2' };
  expect(withoutTypedSettings(config as DurableRagOptions, flags)).toEqual({
    only: undefined,
    limits: { concurrency: undefined, graceSeconds: 5 },
  });
  const worker = addSettings(new Command('worker'), 'DURABLE_RAG_ONLY', 'DURABLE_RAG_VERSIONED');
  worker.exitOverride().configureOutput({ writeErr() {} });
  worker.parse(['--only', 'retrieval', '--versioned'], { from: 'user' });
  expect(typedSettings(worker)).toEqual({
    DURABLE_RAG_ONLY: 'retrieval',
    DURABLE_RAG_VERSIONED: 'true',
  });
  for (const wrong of ['searches', ' ']) {
    expect(() => worker.parse(['--only', wrong], { from: 'user' })).toThrow(
      'It must be one or more of questions, models, retrieval, separated by commas.',
    );
  }
});

it('is in every command that is named from then on', async () => {
  expect(command('runs')).toBe('durable-rag runs');
  await typed('methods', '--task-queue', "it's");
  expect(command('retry', 'r')).toBe("durable-rag --task-queue 'it'\\''s' retry r");
  await expect(
    openRuns({ manifest: async () => undefined, list: async () => [] } as never, ['r']),
  ).rejects.toThrow(`"durable-rag --task-queue 'it'\\''s' runs" lists them`);
});
