/** An upgrade of workers without versions in the middle of a run, and the way back. */
import { expect, it } from 'vitest';
import { startHarness } from '../support/harness.js';
import { bundleWithStep, saidForSure } from '../support/next-version.js';
import { gate, setUpRun, soon } from '../support/run.js';
import { memoryRuns } from '../support/stores.js';

/** More than are under way at a time. */
const QUESTIONS = 8;
const HELD = 3;
/** The calls of a question of SuRe with two candidates. */
const CALLS = 7;

/** A later version of durable-rag, with one step more. */
const laterVersion = () => bundleWithStep('one step more');

/** Starts a run under workers of one version, of which the first questions wait in their middle. */
async function held(code?: string) {
  const middle = gate();
  const runs = memoryRuns();
  const set = await setUpRun(
    QUESTIONS,
    async (number, step) => {
      if (number < HELD && step === 'validate') await middle.opened;
      return saidForSure(step);
    },
    { method: 'sure', options: {}, concurrency: HELD + 1 },
    undefined,
    { runs },
    { graceSeconds: 1, ...(code !== undefined && { code }) },
  );
  const handle = await set.client.startRun(set.spec);
  await soon(async () => expect((await handle.progress()).done).toBeGreaterThan(1));
  await handle.pause();
  const { taskQueue, ports } = set.harness;
  return {
    handle,
    openMiddle: middle.open,
    /** Ends the workers, and starts others of the same queue and stores. */
    async replaceWorkers(by: { code?: string }) {
      await set.harness.workers.stop();
      return startHarness(set.model, ports, { taskQueue, ...by });
    },
    callsOf: async (number: number) =>
      (await runs.get(set.spec.run, `n/${number}`))?.result?.usage.calls,
  };
}

const whole = {
  done: QUESTIONS,
  outcomes: { answered: QUESTIONS, unknown: 0, unreadable: 0, failed: 0 },
};

it('ends every question as it began, and begins the others with the new version', async () => {
  const { handle, openMiddle, replaceWorkers, callsOf } = await held();
  await replaceWorkers({ code: laterVersion() });
  await handle.resume();
  openMiddle();
  expect(await handle.result()).toMatchObject(whole);
  const calls = await Promise.all(Array.from({ length: QUESTIONS }, (_, i) => callsOf(i)));
  expect(calls.slice(0, HELD)).toEqual([CALLS, CALLS, CALLS]);
  expect(calls.at(-1)).toBe(CALLS + 1);
  expect(await handle.stuck()).toEqual([]);
});

it('goes back: the old version names what only the new one can end, which then ends it', async () => {
  const later = laterVersion();
  const { handle, openMiddle, replaceWorkers, callsOf } = await held(later);
  const old = await replaceWorkers({});
  await handle.resume();
  openMiddle();
  // The questions that were under way have marks of the patch; the others begin with the old code.
  await soon(async () => expect((await handle.progress()).done).toBe(QUESTIONS - HELD));
  await soon(async () => expect(await handle.stuck()).toHaveLength(HELD));
  expect(await callsOf(QUESTIONS - 1)).toBe(CALLS);
  await old.workers.stop();
  await replaceWorkers({ code: later });
  expect(await handle.result()).toMatchObject(whole);
  expect(await callsOf(0)).toBe(CALLS + 1);
});
