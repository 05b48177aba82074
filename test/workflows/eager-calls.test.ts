/** Model calls on the queue of the workflows, where no limit of requests is set, and apart where one is. */
import { Client } from '@temporalio/client';
import { expect, it } from 'vitest';
import { markedRates } from '../../activities/runtime/rates.js';
import { queueRates } from '../../client/queue-rates.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { modelQueue } from '../../workflows/queue/task-queues.js';
import { startHarness } from '../support/harness.js';
import { handleOf, scheduledIn } from '../support/history.js';
import { heldReply, numberModel, questionText, type Reply, soon } from '../support/run.js';

const CALLS = 3;

/** A worker that makes three calls at a time, and has as many slots beside its workflows. */
async function started(reply: Reply) {
  const model = numberModel(reply);
  const rateMarks = new MemoryStore();
  const harness = await startHarness(
    model,
    { rateMarks },
    { concurrency: CALLS, worker: { maxConcurrentActivityTaskExecutions: CALLS } },
  );
  const { connection, taskQueue, client, id } = harness;
  // As another worker of the queue does, for a run that asks for it.
  const otherWorker = markedRates(queueRates(new Client({ connection })), rateMarks);
  return {
    model,
    taskQueue,
    limit: (perMinute: number | null) => otherWorker.set(modelQueue(taskQueue), perMinute),
    ask: (number: number) =>
      client.ask(
        'base',
        { question: questionText(number), options: { passages: 0 } },
        { workflowId: `${id}-${number}` },
      ),
    /** The queue that the call of a question was put on. */
    async queueOf(number: number) {
      const history = await handleOf(connection, `${id}-${number}`).fetchHistory();
      const queues = scheduledIn(history).map(({ queue }) => queue);
      expect(queues).toHaveLength(1);
      return queues[0];
    },
  };
}

it('a call is where its question is, unless starts are limited, from the next question on', async () => {
  const { taskQueue, ask, queueOf, limit } = await started(() => 'Bell');
  expect(await ask(1)).toMatchObject({ answer: 'Bell' });
  expect(await queueOf(1)).toBe(taskQueue);
  await limit(6000);
  await ask(2);
  expect(await queueOf(2)).toBe(modelQueue(taskQueue));
  await limit(null);
  await ask(3);
  // The worker looks again after some seconds, and until then takes no chances.
  expect([taskQueue, modelQueue(taskQueue)]).toContain(await queueOf(3));
});

it('no more calls are under way than a worker may make, from both queues together', async () => {
  const { reply, open } = heldReply();
  const { model, ask, limit, queueOf, taskQueue } = await started(reply);
  const first = [1, 2, 3, 4, 5].map(ask);
  await soon(() => expect(model.flight.now).toBe(CALLS));
  await limit(60_000);
  const second = [6, 7, 8, 9, 10].map(ask);
  await soon(async () => expect(await queueOf(10)).toBe(modelQueue(taskQueue)));
  open();
  for (const result of await Promise.all([...first, ...second])) {
    expect(result).toMatchObject({ answer: 'Bell' });
  }
  expect(model.flight.most).toBe(CALLS);
  expect(model.asked).toHaveLength(10);
});
