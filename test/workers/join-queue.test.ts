/** Workers of a task queue with other stores than those that serve it. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection, type ConnectionLike } from '@temporalio/client';
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest';
import { announceStores } from '../../workers/join-queue.js';
import type { StoreIds } from '../../workflows/queue/store-ids.js';
import { storesQueue } from '../../workflows/queue/task-queues.js';
import { leavePoll } from '../support/leave-poll.js';

const NAMESPACE = 'default';
const BEFORE = { responses: 'responses-before', corpora: 'corpora-before' };
const AFTER = { responses: 'responses-after', corpora: 'corpora-after' };

let connection: Connection;
beforeAll(async () => {
  connection = await Connection.connect({ address: inject('temporalAddress') });
});
afterAll(() => connection.close());

const newQueue = () => `join-${randomUUID()}`;

async function join(
  taskQueue: string,
  stores: StoreIds,
  warn: (message: string) => void = vi.fn(),
) {
  const leave = await announceStores({ connection, namespace: NAMESPACE, taskQueue }, stores, warn);
  onTestFinished(leave);
  return leave;
}

test('a worker with other stores is refused while one is there, and not once that has stopped', async () => {
  const taskQueue = newQueue();
  const leave = await join(taskQueue, BEFORE);
  await join(taskQueue, { ...BEFORE, results: 'known here alone' });
  const refused = join(taskQueue, { ...AFTER, corpora: BEFORE.corpora });
  await expect(refused).rejects.toMatchObject({
    type: 'BadInput',
    message: expect.stringMatching(
      /workers of the task queue join-.* keep responses \(DURABLE_RAG_STORE: .*\) elsewhere than this one\. Share/,
    ),
  });
  leave();
  await expect(join(taskQueue, AFTER)).rejects.toThrow(/keep responses .*corpora /);
});

test('a queue moves once all of its workers have stopped', async () => {
  const taskQueue = newQueue();
  const leaving = [await join(taskQueue, BEFORE), await join(taskQueue, BEFORE)];
  for (const leave of leaving) leave();
  await join(taskQueue, AFTER);
  await expect(join(taskQueue, BEFORE)).rejects.toThrow('elsewhere than this one');
});

test('a worker of another machine counts while it may be there', async () => {
  const taskQueue = newQueue();
  const announced = { process: '1@elsewhere', worker: 'another', stores: BEFORE };
  await leavePoll(storesQueue(taskQueue), JSON.stringify(announced), 'activity');
  await expect(join(taskQueue, AFTER)).rejects.toThrow('elsewhere than this one');
  await join(taskQueue, BEFORE);
});

test('a poller that is no worker of ours is passed over', async () => {
  const taskQueue = newQueue();
  for (const identity of ['1@elsewhere', '{}', 'null', '{"process":1,"stores":null}']) {
    await leavePoll(storesQueue(taskQueue), identity, 'activity');
  }
  await join(taskQueue, AFTER);
});

test('workers that start at once all join with the same stores, and never with different ones', async () => {
  const same = newQueue();
  await Promise.all(Array.from({ length: 5 }, () => join(same, AFTER)));
  const other = newQueue();
  const stores = Array.from({ length: 5 }, (_, at) => (at % 2 === 0 ? BEFORE : AFTER));
  const ended = await Promise.allSettled(stores.map((each) => join(other, each)));
  const joined = stores.filter((_, at) => ended[at]?.status === 'fulfilled');
  expect(new Set(joined).size).toBeLessThanOrEqual(1);
});

test('a worker is warned once of another that came by unnoticed, as after a sleep', async () => {
  const others = [{ process: '1@elsewhere', worker: 'another', stores: BEFORE }];
  let isHidden = true;
  const pollers = () =>
    (isHidden ? [] : others).map((one) => ({
      identity: JSON.stringify(one),
      lastAccessTime: { seconds: Date.now() / 1000 },
    }));
  const polled: string[] = [];
  const own = () => polled.slice(0, 1).map((identity) => ({ identity, lastAccessTime: now() }));
  const now = () => ({ seconds: Date.now() / 1000 });
  const workflowService = {
    describeTaskQueue: async () => ({ pollers: [...own(), ...pollers()] }),
    pollActivityTaskQueue: async ({ identity }: { identity: string }) => {
      polled.push(identity);
      return {};
    },
  };
  const within = (_: unknown, call: () => unknown) => call();
  const asleep = { workflowService, withDeadline: within, withAbortSignal: within };
  const warn = vi.fn();
  const queue = { connection: asleep as unknown as ConnectionLike, namespace: NAMESPACE };
  const leave = await announceStores({ ...queue, taskQueue: 'asleep' }, AFTER, warn);
  onTestFinished(leave);
  expect(warn).not.toHaveBeenCalled();
  isHidden = false;
  await expect.poll(() => warn.mock.calls.length, { timeout: 10_000 }).toBe(1);
  expect(warn.mock.calls[0]?.[0]).toMatch(/asleep keep responses .*elsewhere than this one\.$/);
  const before = polled.length;
  await expect.poll(() => polled.length, { timeout: 10_000 }).toBeGreaterThan(before + 1);
  expect(warn).toHaveBeenCalledTimes(1);
  leave();
  await sleep(0);
});

test('nothing of it is a workflow', async () => {
  const taskQueue = newQueue();
  await join(taskQueue, AFTER);
  const { workflow } = new Client({ connection, namespace: NAMESPACE });
  const queues = [taskQueue, storesQueue(taskQueue)].map((name) => `TaskQueue = '${name}'`);
  expect((await workflow.count(queues.join(' OR '))).count).toBe(0);
});
