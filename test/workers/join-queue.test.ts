import { randomUUID } from 'node:crypto';
import { Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { joinQueue } from '../../workers/join-queue.js';
import { storesWorkflowId } from '../../workflows/queue/stores.js';
import { leavePoll } from '../support/leave-poll.js';

const NAMESPACE = 'default';
const BEFORE = { responses: 'responses-before', corpora: 'corpora-before' };
const AFTER = { responses: 'responses-after', corpora: 'corpora-after' };

/** Each has a deadline of its own, which a call that is made in the course of another's would share. */
let connection: Connection;
let slow: Connection;
beforeAll(async () => {
  const address = inject('temporalAddress');
  [connection, slow] = await Promise.all([
    Connection.connect({ address }),
    Connection.connect({ address }),
  ]);
});
afterAll(() => Promise.all([connection.close(), slow.close()]));

/** The same, whose queries nobody answers. */
function unanswered(connection: Connection, meanwhile = async () => {}): Connection {
  const service = new Proxy(connection.workflowService, {
    get: (target, name) =>
      name === 'queryWorkflow'
        ? () => meanwhile().then(() => Promise.reject(new Error('14 UNAVAILABLE')))
        : Reflect.get(target, name, target),
  });
  return new Proxy(connection, {
    get: (target, name) =>
      name === 'workflowService' ? service : Reflect.get(target, name, target),
  });
}

/** A queue whose workers kept things in `BEFORE` and are gone. */
async function abandonedQueue() {
  const taskQueue = `join-${randomUUID()}`;
  const queue = { connection: unanswered(connection), namespace: NAMESPACE, taskQueue };
  await joinQueue(queue, BEFORE);
  return queue;
}

type Queue = Awaited<ReturnType<typeof abandonedQueue>>;

/** For a worker that has read what stands there, and asks who is there after something else. */
function slowly(queue: Queue, meanwhile: (queue: Queue) => Promise<void>): Queue {
  return { ...queue, connection: unanswered(slow, () => meanwhile(queue)) };
}

/** Another machine asks for tasks of the queue, as a worker does that serves it. */
const serve = ({ taskQueue }: Queue) => leavePoll(taskQueue, '1@elsewhere');

async function moveAndServe(queue: Queue): Promise<void> {
  await joinQueue(queue, AFTER);
  await serve(queue);
}

async function standing({ taskQueue }: Queue) {
  const execution = { workflowId: storesWorkflowId(taskQueue) };
  const asked = { namespace: NAMESPACE, execution };
  return (await connection.workflowService.describeWorkflowExecution(asked)).workflowExecutionInfo;
}

async function storesOf(queue: Queue): Promise<unknown> {
  const data = (await standing(queue))?.memo?.fields?.stores?.data ?? new Uint8Array();
  return JSON.parse(Buffer.from(data).toString());
}

async function runOf(queue: Queue): Promise<string> {
  return (await standing(queue))?.execution?.runId ?? '';
}

test('workers that move a queue at the same time all join it', async () => {
  const queue = await abandonedQueue();
  await joinQueue(slowly(queue, moveAndServe), AFTER);
  expect(await storesOf(queue)).toEqual(AFTER);
});

test('of workers that move a queue to different stores at the same time the first stays', async () => {
  const queue = await abandonedQueue();
  const second = joinQueue(slowly(queue, moveAndServe), { responses: 'responses-third' });
  await expect(second).rejects.toThrow(/keep responses \(.*elsewhere than this one would/);
  expect(await storesOf(queue)).toEqual(AFTER);
});

test('what another has put in its place is left to it, even before it serves', async () => {
  const queue = await abandonedQueue();
  const first = { run: '' };
  const move = async () => {
    await joinQueue(queue, AFTER);
    first.run = await runOf(queue);
  };
  await joinQueue(slowly(queue, move), AFTER);
  expect(await runOf(queue)).toBe(first.run);
});
