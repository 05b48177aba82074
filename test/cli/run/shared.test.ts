/** What a look at one run shows of what the runs of its task queue share. */
import type { Connection } from '@temporalio/client';
import { expect, it } from 'vitest';
import { sharedResources } from '../../../cli/run/shared.js';
import { createClient } from '../../../client/create-client.js';
import { modelQueue } from '../../../workflows/queue/task-queues.js';
import { setUpBatching } from '../../support/provider-batches.js';
import { heldReply, setUpRun, soon } from '../../support/run.js';

/** The same, whose server has forgotten who polls a queue, as it does after some minutes. */
function forgetting(connection: Connection, taskQueue: string): Connection {
  const service = connection.workflowService;
  const describeTaskQueue = async (asked: Parameters<typeof service.describeTaskQueue>[0]) => {
    const described = await service.describeTaskQueue(asked);
    return asked.taskQueue?.name === taskQueue ? { ...described, pollers: [] } : described;
  };
  const forgetful = new Proxy(service, {
    get: (target, name) =>
      name === 'describeTaskQueue' ? describeTaskQueue : Reflect.get(target, name, target),
  });
  return new Proxy(connection, {
    get: (target, name) =>
      name === 'workflowService' ? forgetful : Reflect.get(target, name, target),
  });
}

it('says that all places are taken by slow calls, and asks for no other worker then', async () => {
  const { reply, open } = heldReply();
  const set = await setUpRun(3, reply, {}, undefined, {}, { concurrency: 1 });
  const { harness, model, spec } = set;
  const { taskQueue, connection } = harness;
  const told = await set.client.startRun(spec);
  await soon(() => expect(model.flight.now).toBe(1));
  const { run } = told;
  const client = await createClient({
    connection: forgetting(connection, modelQueue(taskQueue)),
    taskQueue,
  });
  await soon(async () => {
    const full = [
      expect.stringMatching(
        /no place free for models: the oldest call has been under way for at least \d+ s\./,
      ),
    ];
    expect((await sharedResources(client, run)).lines).toEqual(full);
    expect((await sharedResources(client)).lines).toEqual(full);
  });
  open();
  expect(await told.result()).toMatchObject({ done: 3 });
  // Now nothing tells of a worker for models; the run that has ended waits for none.
  await soon(async () =>
    expect((await sharedResources(client)).lines.join()).toContain('start a worker for models'),
  );
  expect(await sharedResources(client, run)).toEqual({ limits: [], lines: [] });
});

it('shows batches to a run that goes by batch with their model, and limits while one is under way', async () => {
  const transport = { waitSeconds: 0.1, size: 3, patienceSeconds: 86_400 };
  const batching = { options: { passages: 0 }, transport };
  const { client, spec, server } = await setUpBatching(3, { durationMs: 3_600_000 }, batching);
  const batched = await client.startRun(spec);
  await soon(() => expect(server.batches[0]?.lines).toHaveLength(3));
  await client.setLimits({ tokensPerMinute: 1_000_000 });
  const { transport: _, ...direct } = spec;
  const other = await client.startRun({ ...direct, run: `${spec.run}-direct`, upTo: 1 });
  await other.pause();
  const models = { default: 'another' };
  const another = await client.startRun({ ...spec, run: `${spec.run}-another`, models });
  const linesOf = async (run?: string) => (await sharedResources(client, run)).lines.join('\n');

  const limit = 'limits of the queue: at most 1,000,000 tokens a minute (set for the queue';
  await soon(async () =>
    expect(await linesOf(batched.run)).toMatch(/batches of m: .*\n.*3 requests/),
  );
  expect(await linesOf(batched.run)).toContain(limit);
  expect(await linesOf(other.run)).toContain(limit);
  expect(await linesOf(other.run)).not.toContain('batches');
  await soon(async () => expect(await linesOf(another.run)).toContain('batches of another'));
  expect(await linesOf(another.run)).not.toContain('batches of m:');
  expect(await linesOf()).toMatch(/batches of another: [\s\S]*batches of m: /);
  for (const one of [batched, other, another]) await one.cancel();
  await soon(async () => expect(await linesOf(batched.run)).toBe(''));
  expect(await linesOf(`${spec.run}-unknown`)).toBe('');
});
