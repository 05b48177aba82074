/** An outage that lasts longer than a call is patient: no question fails of it, none is lost. */
import { expect, it } from 'vitest';
import type { RunHandle } from '../../../client/run.js';
import { Failure } from '../../../core/failure.js';
import { handleOf } from '../../support/history.js';
import { type Reply, setUpRunShared as setUpRun, soon } from '../../support/run.js';
import { memoryRuns } from '../../support/stores.js';

/** A provider that can be away; two calls a question, a document and what is read from it. */
function provider() {
  const now = { isAway: false };
  /** Whether it was there, call by call. */
  const served: boolean[] = [];
  const reply: Reply = (_, step) => {
    served.push(!now.isAway);
    if (now.isAway) return new Failure('Connection', 'Nobody is there.');
    return step === 'generateDocument' ? 'Bell made it.' : 'Bell';
  };
  return { now, served, reply };
}

/** Without any patience, and with probes that follow each other. */
const IMPATIENT = {
  method: 'genread' as const,
  options: { documents: 1 },
  limits: { attempts: 1, outageSeconds: 0 },
  concurrency: 3,
  pauseAfter: 4,
  probeSeconds: 0.2,
};

const paused = (handle: RunHandle) =>
  soon(async () =>
    expect(await handle.progress()).toMatchObject({
      state: 'paused',
      pause: { reason: 'outage', message: expect.stringContaining('Nobody is there.') },
      outcomes: { failed: 0 },
    }),
  );

it('pauses the run, probes from history to history, and goes on by itself with every question', async () => {
  const { now, served, reply } = provider();
  let isFirst = true;
  const { spec, harness, workflowId, startInHistories } = await setUpRun(
    12,
    (...asked) => {
      if (isFirst && served.length === 9) now.isAway = true;
      return reply(...asked);
    },
    IMPATIENT,
  );
  const { handle } = await startInHistories(4);
  await paused(handle);
  const { pause } = await handle.progress();
  expect(pause?.nextProbe).toBeGreaterThan(Number(pause?.since));
  // Tried in vain, one question at a time, it makes a history long as well.
  const runIdOf = async () => (await handleOf(harness.connection, workflowId).describe()).runId;
  const [before, asked] = [await runIdOf(), served.length];
  await soon(async () => expect(await runIdOf()).not.toBe(before));
  await soon(() => expect(served.length).toBeGreaterThan(asked + 5));
  const tried = await handle.progress();
  expect(tried.running).toBeLessThanOrEqual(1);
  expect(tried.pause?.since).toBe(pause?.since);

  const paid = served.filter((isServed) => isServed).length;
  isFirst = false;
  now.isAway = false;
  const result = await handle.result();
  expect(result).toMatchObject({
    done: 12,
    outcomes: { answered: 12, failed: 0 },
    state: 'finished',
    pause: null,
  });
  // What was paid for before the outage is not paid for again.
  expect(paid).toBe(9);
  expect(served.filter((isServed) => isServed)).toHaveLength(24);
  const { costUsd, estimated } = result.usage;
  expect(Number(costUsd) - Number(estimated?.costUsd)).toBeCloseTo(0.024, 9);
  for (let i = 0; i < 12; i++) {
    expect((await harness.ports.runs.get(spec.run, `n/${i}`))?.result?.outcome).toBe('answered');
  }
});

it('reads on once the results are there again', async () => {
  const runs = memoryRuns();
  let isAway = false;
  const { client, spec } = await setUpRun(3, () => 'Bell', { probeSeconds: 0.2 }, undefined, {
    runs: {
      ...runs,
      questions: (...asked) => {
        // Not to be retried, so that the test need not wait for thirty attempts.
        if (isAway) throw new Failure('Connection', 'No results.', { retryable: false });
        return runs.questions(...asked);
      },
      begin: async (...begun) => {
        await runs.begin(...begun);
        isAway = true;
      },
    },
  });
  const handle = await client.startRun(spec);
  await soon(async () => expect((await handle.progress()).pause?.reason).toBe('outage'));
  isAway = false;
  expect(await handle.result()).toMatchObject({ done: 3, outcomes: { answered: 3 } });
});

it('asks again what could not be recorded, and pays for none of it twice', async () => {
  const runs = memoryRuns();
  let writes = 0;
  const { client, spec, model } = await setUpRun(
    5,
    () => 'Bell',
    { probeSeconds: 0.2, concurrency: 1 },
    undefined,
    {
      runs: {
        ...runs,
        put: async (...answer) => {
          if (++writes === 3) throw new Failure('Connection', 'No results.', { retryable: false });
          await runs.put(...answer);
        },
      },
    },
  );
  const handle = await client.startRun(spec);
  expect(await handle.result()).toMatchObject({ done: 5, outcomes: { answered: 5 } });
  expect(model.asked).toHaveLength(5);
});
