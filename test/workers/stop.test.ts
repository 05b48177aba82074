/** A stop that does not wait for ever: what does not end though it is cancelled is left, and said so. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { MemoryStore } from '../../stores/memory-store.js';
import { startHarness } from '../support/harness.js';
import { handleOf } from '../support/history.js';
import { gate, soon } from '../support/run.js';
import { modelThatSays } from '../support/saying.js';
import { afterTest, sideBySide as it } from '../support/side-by-side.js';

it('leaves a call that does not heed its cancellation, with a sentence in place of an error', async () => {
  const held = gate();
  let calls = 0;
  const stubborn = modelThatSays(async () => {
    calls++;
    if (calls === 1) await held.opened;
    return 'Bell';
  });
  const warnings = vi.spyOn(console, 'warn').mockReturnValue();
  afterTest(() => warnings.mockRestore());
  // As the worker of a program that sets its own times.
  const times = { shutdownGraceTime: 100, shutdownForceTime: 1_000 };
  const first = await startHarness(stubborn, {}, { worker: times });
  const { taskQueue, ports } = first;
  const handle = await first.client.start('base', { question: 'Who?', options: { passages: 0 } });
  await soon(() => expect(calls).toBe(1));

  await expect(first.workers.stop()).resolves.toBeUndefined();
  expect(first.workers.hasLeft()).toBe(true);
  expect(warnings.mock.calls).toEqual([
    [expect.stringMatching(/did not end although it was cancelled: .* begins again on another/)],
  ]);

  // This process lives on, so the call ends after all: the next worker takes what it has paid for.
  held.open();
  const second = await startHarness(stubborn, ports, { taskQueue });
  expect(await handle.result()).toMatchObject({ answer: 'Bell' });
  expect(calls).toBe(1);
  await second.workers.stop();
  expect(second.workers.hasLeft()).toBe(false);
});

it('takes no call of another worker while it waits for those of its own questions', async () => {
  const held = gate();
  const asked: string[] = [];
  const model = modelThatSays(async ({ prompt }) => {
    asked.push(prompt);
    if (asked.length === 1) await held.opened;
    return 'Bell';
  });
  // Where no limit of requests is set, it begins the calls of its questions beside their workflows.
  const marks = { rateMarks: new MemoryStore() };
  const calls = { concurrency: 100, graceSeconds: 60 };
  const first = await startHarness(model, marks, calls);
  const { taskQueue, ports } = first;
  const ask = (question: string) =>
    first.client.start('base', { question, options: { passages: 0 } });
  const own = await ask('Who built the dam?');
  await soon(() => expect(asked).toHaveLength(1));

  await startHarness(model, ports, { taskQueue, roles: ['questions'] });
  const stopped = first.workers.stop();
  // What polls at that moment still gets a task.
  await sleep(5_000);
  const other = await ask('Who built the bridge?');
  const isScheduled = async () => {
    const { events } = await handleOf(first.connection, other.workflowId).fetchHistory();
    return events?.some((event) => event.activityTaskScheduledEventAttributes);
  };
  await soon(async () => expect(await isScheduled()).toBe(true));
  await sleep(3_000);
  expect(asked).toHaveLength(1);

  held.open();
  await stopped;
  expect(await own.result()).toMatchObject({ answer: 'Bell' });
  await startHarness(model, ports, { taskQueue, roles: ['models'] });
  expect(await other.result()).toMatchObject({ answer: 'Bell' });
  expect(asked).toHaveLength(2);
});

it('says how many calls it cuts off where they take longer than its grace', async () => {
  const told: string[] = [];
  let calls = 0;
  const slow = modelThatSays(async ({ signal }) => {
    calls++;
    if (calls <= 2) await sleep(60_000, undefined, { signal });
    return 'Bell';
  });
  const grace = { graceSeconds: 4, warn: (message: string) => void told.push(message) };
  const first = await startHarness(slow, {}, grace);
  const handles = ['Who?', 'Where?'].map((question) =>
    first.client.start('base', { question, options: { passages: 0 } }),
  );
  await soon(() => expect(calls).toBe(2));
  await first.workers.stop();
  expect(told).toEqual([
    expect.stringMatching(/^2 calls are cut off .* 4 s \(DURABLE_RAG_GRACE\)/),
  ]);

  const { taskQueue, ports } = first;
  const second = await startHarness(slow, ports, { taskQueue, ...grace });
  for (const handle of handles) {
    expect(await (await handle).result()).toMatchObject({ answer: 'Bell' });
  }
  await second.workers.stop();
  expect(told).toHaveLength(1);
});
