/** Which workers are there already, before one more begins or a command relies on one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname, tmpdir } from 'node:os';
import { expect, inject, it } from 'vitest';
import { ask } from '../../cli/ask.js';
import type { CliContext } from '../../cli/context.js';
import { nothingTyped } from '../../cli/flags.js';
import { serverSession, workerSession } from '../../cli/session.js';
import { type Server, servingProcesses, untilListed } from '../../client/recent-pollers.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import { defineMethod, unanswered } from '../../workflows/declare.js';
import { cliContext } from '../support/cli-context.js';
import { startHarness } from '../support/harness.js';
import { leavePoll } from '../support/leave-poll.js';

/** What a command works with. */
function contextOf(taskQueue: string): CliContext {
  const env = {
    PATH: process.env.PATH,
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    DURABLE_RAG_TASK_QUEUE: taskQueue,
    // No model is asked, and none is downloaded if a worker is listed too late.
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
  };
  return cliContext({ env, home: tmpdir() });
}

it('is told that a worker lacks the configuration that is asked with', async () => {
  const harness = await startHarness(scriptedModel([]));
  const algorithm = async () => unanswered('unknown', [], null);
  const mine = defineMethod({ name: 'mine', options: {}, algorithm });
  const context = { ...contextOf(harness.taskQueue), config: { methods: [mine] } };
  const typed = { ...nothingTyped, fields: { method: 'mine' } };
  const there = { connection: harness.connection, namespace: 'default' };
  await expect.poll(() => servingProcesses(there, harness.taskQueue)).not.toEqual([]);
  await expect(ask('Why?', typed, context)).rejects.toMatchObject({
    exitCode: 7,
    message: expect.stringMatching(/cannot run mine: .*no such function.*durable-rag\.config\.ts/),
    next: expect.stringContaining('--task-queue'),
  });
});

it('names the processes that serve the task queue', async () => {
  const harness = await startHarness(scriptedModel([]));
  const { connection } = harness;
  const there = (taskQueue: string) =>
    servingProcesses({ connection, namespace: 'default' }, taskQueue);
  const us = [expect.stringContaining(String(process.pid))];
  await expect.poll(() => there(harness.taskQueue)).toEqual(us);
  expect(await there('nobody-serves-it')).toEqual([]);
  const session = await workerSession(contextOf(harness.taskQueue));
  await session.close();
});

it('counts no worker that has ended, though the server still lists it', async () => {
  const ended = spawn(process.execPath, ['-e', '']);
  await once(ended, 'exit');
  const gone = contextOf('its-worker-has-ended');
  // Of one on another machine it is not known.
  await Promise.all([
    leavePoll('its-worker-has-ended', `${ended.pid}@${hostname()}`),
    leavePoll('its-worker-is-elsewhere', `${ended.pid}@another-machine`),
  ]);
  const session = await serverSession(gone);
  expect(session.hasWorker).toBe(false);
  await session.close();
  await expect(workerSession(gone)).rejects.toMatchObject({
    type: 'Connection',
    message: expect.stringContaining('No worker polls the task queue its-worker-has-ended'),
  });

  const elsewhere = await workerSession(contextOf('its-worker-is-elsewhere'));
  await elsewhere.close();
});

it('is said to poll once the server lists it for all of its parts, or by somebody who leaves', async () => {
  const identity = '1@here';
  const looks: Record<string, number> = {};
  /** Lists it for one part at the second look, for another at the third. */
  const describeTaskQueue = async ({ taskQueue: { name } }: { taskQueue: { name: string } }) => {
    looks[name] = (looks[name] ?? 0) + 1;
    const isThere = looks[name] > (name === 'q' ? 1 : 2);
    const lastAccessTime = { seconds: Date.now() / 1000 };
    return { pollers: [{ identity: isThere ? identity : '2@here', lastAccessTime }] };
  };
  const connection = { workflowService: { describeTaskQueue } } as unknown as Server['connection'];
  const server = { connection, namespace: 'default' };
  const worker = { taskQueue: 'q', roles: ['questions', 'models'], identity } as const;
  await untilListed(server, worker, new AbortController().signal);
  expect(looks).toEqual({ q: 3, 'q-llm': 3 });
  await untilListed(server, worker, AbortSignal.abort());
  expect(looks).toEqual({ q: 3, 'q-llm': 3 });
});
