/** A run that is cancelled or terminated, and started again. */
import { expect, it } from 'vitest';
import { Failure } from '../../../core/failure.js';
import { safeFileName } from '../../../stores/runs/file-results.js';
import { handleOf } from '../../support/history.js';
import { gate, setUpRunShared as setUpRun, soon } from '../../support/run.js';

it('takes along what it has begun, in whichever history, and goes on when started again', async () => {
  let hangs = true;
  const { harness, model, client, spec, workflowId, startInHistories } = await setUpRun(
    13,
    // One of each history of three, and what is begun last.
    (number) => (hangs && (number % 3 === 0 || number > 9) ? 'hang' : 'Bell'),
    { concurrency: 6 },
  );
  const { handle } = await startInHistories(3);
  const hanging = [0, 3, 6, 9, 10, 11];
  await soon(() => expect(model.flight.now).toBe(hanging.length));
  await soon(async () => expect(await handle.progress()).toMatchObject({ done: 6, running: 6 }));
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow();
  const statusOf = async (id: string) =>
    (await handleOf(harness.connection, id).describe()).status.name;
  const ids = hanging.map((number) => `${workflowId}/${safeFileName(`n/${number}`)}`);
  expect(await Promise.all(ids.map(statusOf))).toEqual(ids.map(() => 'CANCELLED'));
  expect(await statusOf(workflowId)).toBe('CANCELLED');
  await soon(() => expect(model.flight.now).toBe(0));
  expect(model.asked).toHaveLength(12);
  // What was open counts with what the provider may bill for it.
  const { usage, done } = await handle.progress();
  expect(usage).toMatchObject({ calls: 6, estimated: { attempts: 6, repeated: 0 } });
  expect(usage.estimated?.costUsd).toBeGreaterThan(0);
  expect(usage.costUsd).toBeCloseTo(0.006 + (usage.estimated?.costUsd ?? 0), 12);
  expect(done).toBe(6);
  expect(await harness.ports.runs.get(spec.run, 'n/0')).toBeUndefined();

  hangs = false;
  model.asked.length = 0;
  const again = await client.startRun(spec);
  const finished = await again.result();
  expect(finished).toMatchObject({
    done: 13,
    outcomes: { answered: 13, failed: 0 },
    usage: { calls: 7 },
    earlier: { calls: 6, estimated: { attempts: 6 } },
  });
  expect(finished.earlier?.costUsd).toBeCloseTo(usage.costUsd ?? 0, 12);
  expect(finished.usage).not.toHaveProperty('estimated');
  expect(model.asked.toSorted((a, b) => a - b)).toEqual([...hanging, 12]);
});

it('leaves its questions when it is terminated, and takes them up again', async () => {
  const slow = gate();
  const { harness, model, client, spec, workflowId } = await setUpRun(
    6,
    async (number) => {
      if (number < 3) await slow.opened;
      return 'Bell';
    },
    { concurrency: 3 },
  );
  await client.startRun(spec);
  await soon(() => expect(model.flight.now).toBe(3));
  await handleOf(harness.connection, workflowId).terminate();
  const again = await client.startRun(spec);
  await soon(async () => expect((await again.progress()).running).toBe(3));
  slow.open();
  expect(await again.result()).toMatchObject({ done: 6, outcomes: { answered: 6 } });
  expect(model.asked.toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
});

it('keeps what was paid for before every question would have failed', async () => {
  // Two calls a question: a document is generated, then read.
  const { client, spec } = await setUpRun(
    1,
    (_, step) =>
      step === 'generateDocument' ? 'Bell made it.' : new Failure('QuotaExhausted', 'No credit.'),
    { method: 'genread', options: { documents: 1 } },
  );
  const handle = await client.startRun(spec);
  await soon(async () => expect((await handle.progress()).state).toBe('paused'));
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow();
  const again = await client.startRun(spec);
  await soon(async () =>
    expect((await again.progress()).earlier).toMatchObject({ calls: 1, costUsd: 0.001 }),
  );
  await again.cancel();
});

it('cancels what an earlier start has left', async () => {
  const { harness, model, client, spec, workflowId } = await setUpRun(3, () => 'hang');
  await client.startRun(spec);
  await soon(() => expect(model.flight.now).toBe(3));
  await handleOf(harness.connection, workflowId).terminate();
  const again = await client.startRun(spec);
  await again.cancel();
  await expect(again.result()).rejects.toThrow();
  const childIds = [0, 1, 2].map((number) => `${workflowId}/${safeFileName(`n/${number}`)}`);
  const left = async () => {
    const looks = childIds.map((id) => handleOf(harness.connection, id).describe());
    return (await Promise.all(looks)).filter(({ status }) => status.name === 'RUNNING').length;
  };
  // The cancel came before the run had begun anything, or it reached all of them.
  expect([0, 3]).toContain(await left());

  const third = await client.startRun(spec);
  await soon(async () => expect((await third.progress()).running).toBe(3));
  await third.cancel();
  await expect(third.result()).rejects.toThrow();
  expect(await left()).toBe(0);
  await soon(() => expect(model.flight.now).toBe(0));
});
