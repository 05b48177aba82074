/** Batches from a program and from a plain Temporal client: starting, joining, refusing, listing. */
import { Client } from '@temporalio/client';
import { expect, it } from 'vitest';
import { Failure } from '../../core/failure.js';
import type { RunProgress } from '../../core/run/run.js';
import { handleOf } from '../support/history.js';
import { heldReply, questionText, setUpRun, setUpRunShared, soon, stored } from '../support/run.js';

it('joins a run under way, however fast it is to go, and refuses one of other options', async () => {
  const slow = heldReply();
  const { client, spec, model } = await setUpRunShared(3, slow.reply);
  const [one, two] = await Promise.all([client.startRun(spec), client.startRun(spec)]);
  expect(two.workflowId).toBe(one.workflowId);
  await soon(() => expect(model.flight.now).toBe(3));

  const joined = await client.startRun({ ...spec, concurrency: 3, budgetUsd: 50 });
  expect((await joined.progress()).settings).toMatchObject({ concurrency: 20, budgetUsd: null });
  const other = client.startRun({ ...spec, seed: 1, options: { passages: 5 } });
  await expect(other).rejects.toThrow(Failure);
  await expect(other).rejects.toThrow(
    `The run "${spec.run}" is under way with other options (options.passages: 0 there, 5 here; seed: 0 there, 1 here); give this one another name (--name), or cancel it and accept the change (--accept-change).`,
  );

  slow.open();
  const results = await Promise.all([one, two, joined].map((handle) => handle.result()));
  expect(results[0]).toMatchObject({ done: 3, usage: { calls: 3 } });
  expect(results[1]).toEqual(results[0]);
  expect(results[2]).toEqual(results[0]);
  expect(model.asked).toHaveLength(3);
});

it('gives back a run that has ended, and starts it anew only when told to', async () => {
  const { harness, client, spec, model } = await setUpRunShared(2, () => 'Bell');
  const first = await (await client.startRun(spec)).result();
  const later = await client.startRun(spec);
  expect(await later.result()).toEqual(first);
  await expect(client.startRun({ ...spec, limit: 1 })).rejects.toThrow(
    'has ended with other options (limit: not set there, 1 here)',
  );
  const { runId } = await handleOf(harness.connection, later.workflowId).describe();
  const again = await client.startRun(spec, { again: true });
  expect(await again.result()).toMatchObject({ done: 2, usage: { calls: 0 } });
  expect((await handleOf(harness.connection, again.workflowId).describe()).runId).not.toBe(runId);
  expect(model.asked).toHaveLength(2);
});

it('refuses a run whose data set has grown, under way or over, and takes it where that is accepted', async () => {
  const slow = heldReply();
  const { harness, client, spec, model } = await setUpRunShared(2, slow.reply);
  const handle = await client.startRun(spec);
  await soon(() => expect(model.flight.now).toBe(2));
  const line = { id: 'n/2', question: 'Who is number 2?', answers: ['Bell'] };
  const lines = [0, 1].map((i) => ({ id: `n/${i}`, question: questionText(i), answers: ['Bell'] }));
  const grown = { ...spec, dataset: await stored([...lines, line], harness.ports) };
  const refusal = `there is another run ${spec.run} (dataset: "`;
  await expect(client.startRun(grown)).rejects.toThrow(refusal);
  const accepting = { ...grown, acceptChange: true };
  await expect(client.startRun(accepting)).rejects.toThrow('Cancel it first');
  slow.open();
  expect(await handle.result()).toMatchObject({ done: 2 });

  await expect(client.startRun(grown)).rejects.toThrow(refusal);
  await expect(client.startRun(grown)).rejects.toThrow('--accept-change');
  const again = await client.startRun(accepting);
  expect(await again.result()).toMatchObject({ questions: 3, done: 3 });
  expect(model.asked.sort()).toEqual([0, 1, 2]);
  const { changes } = (await harness.ports.runs.manifest(spec.run)) ?? {};
  const differences = [expect.stringContaining('dataset: ')];
  expect(changes).toMatchObject([{ answered: 2, differences }]);
  // From now on that is what the run is.
  expect(await (await client.startRun(grown)).result()).toMatchObject({ done: 3 });
});

it('says that no worker is there to compare a run, and joins none unseen', async () => {
  const { harness, client, spec } = await setUpRun(1, () => 'Bell');
  await (await client.startRun(spec)).result();
  await harness.workers.stop();
  await expect(client.startRun(spec)).rejects.toMatchObject({ type: 'Connection' });
});

it('refuses a bad input before anything is started, and a run that is not there', async () => {
  const { client, spec } = await setUpRun(1, () => 'Bell');
  for (const [change, message] of [
    [{ concurrency: 0 }, 'concurrency'],
    [{ run: 'a/b' }, 'run: must be letters'],
    [{ options: { candidates: 3 } }, 'options.candidates: there is no such field'],
    [{ methods: 'sure' }, 'methods: there is no such field'],
  ] as const) {
    await expect(client.startRun({ ...spec, ...change })).rejects.toThrow(message);
  }
  await expect(client.getRun(spec.run)).rejects.toThrow(`There is no run "${spec.run}"`);
  expect(await client.listRuns()).toEqual([]);
});

it('lists runs once each, with their input and where they stand', async () => {
  const { client, spec } = await setUpRun(2, (number) => (number === 1 ? 'hang' : 'Bell'));
  const done = await client.startRun({ ...spec, run: `${spec.run}-done`, limit: 1 });
  await done.result();
  await (await client.startRun({ ...spec, run: done.run, limit: 1 }, { again: true })).result();
  const open = await client.startRun(spec);
  await soon(async () => expect((await open.progress()).done).toBe(1));
  const listed = await soon(async () => {
    const runs = await client.listRuns();
    expect(runs.map(({ run, status }) => [run, status])).toEqual([
      [spec.run, 'RUNNING'],
      [done.run, 'COMPLETED'],
    ]);
    return runs;
  });
  expect(listed[0]).toMatchObject({
    input: { method: 'base' },
    progress: { state: 'running', done: 1, questions: 2, running: 1 },
  });
  expect(listed[1]).toMatchObject({ progress: { state: 'finished', done: 1, questions: 1 } });
  await open.cancel();
  await expect(open.result()).rejects.toThrow();
});

it('is steered by a plain Temporal client as well', async () => {
  const slow = heldReply();
  const { harness, client, spec, workflowId } = await setUpRunShared(3, slow.reply);
  const plain = new Client({ connection: harness.connection });
  const handle = await plain.workflow.start('evaluateRun', {
    workflowId,
    taskQueue: harness.taskQueue,
    args: [spec],
  });
  const running = { state: 'running', running: 3 };
  await soon(async () => expect(await handle.query('progress')).toMatchObject(running));
  // Joined and compared as well, though this start has left no memo.
  await expect(client.startRun({ ...spec, seed: 3 })).rejects.toThrow('seed: 0 there, 3 here');
  const paused = await handle.executeUpdate<RunProgress, []>('pause');
  expect(paused).toMatchObject({ state: 'paused', pause: { reason: 'user' } });
  const set = handle.executeUpdate<RunProgress, [object]>('set', { args: [{ budget: 1 }] });
  await expect(set).rejects.toMatchObject({
    cause: {
      type: 'BadInput',
      message: expect.stringContaining('Bad input. budget: there is no such setting; there are'),
    },
  });
  await handle.executeUpdate('set', { args: [{ concurrency: 1 }] });
  const resumed = await handle.executeUpdate<RunProgress, []>('resume');
  expect(resumed).toMatchObject({ state: 'running', settings: { concurrency: 1 } });
  slow.open();
  expect(await handle.result()).toMatchObject({ state: 'finished', done: 3 });
});

it('limits the rates of the workers from its start, and changes them live', async () => {
  const { harness, client, spec } = await setUpRun(2, (number) => (number === 1 ? 'hang' : 'Bell'));
  const handle = await client.startRun({ ...spec, tokensPerMinute: 90_000 });
  await soon(async () => expect((await handle.progress()).done).toBe(1));
  expect(await harness.ports.tokens.limit()).toBe(90_000);
  await handle.set({ tokensPerMinute: 60_000 });
  expect(await harness.ports.tokens.limit()).toBe(60_000);
  await handle.cancel();
});
