/** A run that is told something while it is under way: pause, resume, set; a quota that is used up. */
import { expect, it } from 'vitest';
import { Failure } from '../../../core/failure.js';
import { evaluateRuns } from '../../../evaluation/runs/evaluate-runs.js';
import { openRuns } from '../../../evaluation/runs/run-source.js';
import { gate, setUpRunShared as setUpRun, soon } from '../../support/run.js';

it('is paused, changed and resumed', async () => {
  const gates = Array.from({ length: 10 }, gate);
  const { client, spec, model } = await setUpRun(
    10,
    async (number) => {
      await gates[number]?.opened;
      return 'Bell';
    },
    { concurrency: 2 },
  );
  const handle = await client.startRun(spec);
  await soon(() => expect(model.flight.now).toBe(2));
  expect(await handle.pause()).toMatchObject({
    state: 'paused',
    pause: { reason: 'user' },
    running: 2,
  });
  gates[0]?.open();
  gates[1]?.open();
  await soon(async () => expect(await handle.progress()).toMatchObject({ done: 2, running: 0 }));
  expect(model.asked).toHaveLength(2);

  const changed = await handle.set({ concurrency: 5, budgetUsd: 7, tokensPerMinute: null });
  expect(changed).toMatchObject({
    state: 'paused',
    settings: { concurrency: 5, budgetUsd: 7, requestsPerMinute: null, tokensPerMinute: null },
  });
  await expect(handle.set({ concurrency: 0 })).rejects.toMatchObject({ type: 'BadInput' });
  await handle.set({ budgetUsd: null });
  expect(await handle.resume()).toMatchObject({ state: 'running', pause: null });
  await soon(() => expect(model.flight.now).toBe(5));
  for (const { open } of gates) open();
  expect(await handle.result()).toMatchObject({ done: 10, outcomes: { answered: 10 } });
  expect(model.flight.most).toBe(5);
  await expect(handle.pause()).rejects.toThrow('is not under way');
});

it('loses no update between one history and the next', async () => {
  // The last question keeps it going for as long as it is told something.
  const last = gate();
  const { startInHistories, model } = await setUpRun(
    15,
    async (number) => {
      if (number === 14) await last.opened;
      return 'Bell';
    },
    { concurrency: 2 },
  );
  const { handle } = await startInHistories(3);
  for (let budgetUsd = 1; budgetUsd <= 6; budgetUsd++) {
    const { settings } = await handle.set({ budgetUsd });
    expect(settings.budgetUsd).toBe(budgetUsd);
  }
  await handle.set({ concurrency: 10 });
  last.open();
  expect(await handle.result()).toMatchObject({
    done: 15,
    settings: { budgetUsd: 6, concurrency: 10 },
  });
  expect(model.asked).toHaveLength(15);
});

it('pauses when the quota is used up, and goes on without repeating a call', async () => {
  let calls = 0;
  let hasQuota = false;
  // Two calls a question: a document is generated, then read.
  const { client, spec, model, harness } = await setUpRun(
    9,
    (_, step) => {
      calls++;
      if (!hasQuota && calls > 7) return new Failure('QuotaExhausted', 'No credit.');
      return step === 'generateDocument' ? 'Bell made it.' : 'Bell';
    },
    { method: 'genread', options: { documents: 1 }, concurrency: 3 },
  );
  const handle = await client.startRun(spec);
  await soon(async () =>
    expect(await handle.progress()).toMatchObject({
      state: 'paused',
      running: 0,
      pause: { reason: 'QuotaExhausted', message: 'No credit.' },
      outcomes: { failed: 0 },
    }),
  );
  const before = await handle.progress();
  // All that was paid is counted, for questions that have not ended as well.
  expect(before.usage.costUsd).toBeCloseTo(0.007);
  expect(model.asked.length).toBeLessThan(18);

  hasQuota = true;
  calls = 0;
  await handle.resume();
  const result = await handle.result();
  expect(result).toMatchObject({ done: 9, outcomes: { answered: 9, failed: 0 } });
  expect(calls).toBe(18 - 7);
  expect(result.usage.costUsd).toBeCloseTo(0.018);
  expect((await harness.ports.runs.get(spec.run, 'n/8'))?.result?.outcome).toBe('answered');
  // What a question had paid for before the quota was used up stands in no answer.
  const { runs } = await evaluateRuns(await openRuns(harness.ports.runs, [spec.run]));
  expect(Number(runs[0]?.usage.costUsd) + Number(runs[0]?.earlier.costUsd)).toBeCloseTo(0.018);
  expect(runs[0]?.earlier.costUsd).toBeGreaterThan(0);
});
