/** Answers that could not be read are asked again on request, each time as another sample. */
import { expect, it } from 'vitest';
import { Failure } from '../../../core/failure.js';
import type { RunInput } from '../../../core/run/input.js';
import type { CompletionRequest } from '../../../llm/language-model.js';
import { setUpRunShared } from '../../support/run.js';

const EMPTY = '';

/** A run of which question 1 is read only from requests that `isReadable` says; the rest always. */
async function unreadableRun(
  isReadable: (request: CompletionRequest, step: string) => boolean | Failure,
  input: Partial<RunInput> = {},
) {
  const requests: CompletionRequest[] = [];
  const set = await setUpRunShared(
    3,
    (number, step, request) => {
      requests.push(request);
      const found = number !== 1 || isReadable(request, step);
      if (found instanceof Failure) return found;
      return found ? 'Bell' : EMPTY;
    },
    { ...input, limits: { reasks: 1 } },
  );
  const { client, spec, harness } = set;
  const start = async (more: Partial<RunInput> = {}) => {
    const before = requests.length;
    const handle = await client.startRun({ ...spec, ...more }, { again: true });
    const { outcomes } = await handle.result();
    return { outcomes, asked: requests.slice(before) };
  };
  return {
    requests,
    start,
    answer: (number: number) => harness.ports.runs.get(spec.run, `n/${number}`),
    manifest: () => harness.ports.runs.manifest(spec.run),
  };
}

const again = { retryUnreadable: true };

it('asks what could not be read as another sample, once, and counts that', async () => {
  const { start, answer, manifest } = await unreadableRun(({ temperature }) => temperature > 0);
  expect((await start()).outcomes).toMatchObject({ answered: 2, unreadable: 1 });
  // Without being told so it stays: at temperature 0 the same reply would be paid for.
  expect((await start()).asked).toEqual([]);
  expect(await manifest()).not.toHaveProperty('resampled');

  const { outcomes, asked } = await start(again);
  expect(outcomes).toMatchObject({ answered: 3, unreadable: 0 });
  expect(asked).toMatchObject([{ temperature: 0.7, seed: expect.any(Number) }]);
  const told = await answer(1);
  expect(told).toMatchObject({
    resample: 1,
    earlier: { calls: 2 },
    result: { answer: 'Bell', usage: { calls: 1 }, flags: [{ kind: 'resampled', step: 'read' }] },
  });
  expect(await answer(0)).not.toHaveProperty('resample');
  const kept = await manifest();
  expect(kept).toMatchObject({ resampled: [{ at: expect.any(String), questions: 1 }] });
  // It decides no other start of the run.
  expect(kept?.input).not.toHaveProperty('retryUnreadable');
  expect((await start(again)).asked).toEqual([]);
  expect((await manifest())?.resampled).toHaveLength(1);
});

it('draws a new sample each time, and goes on with it after a failure', async () => {
  let fails = false;
  const seeds = new Set<number>();
  const { start, answer, manifest, requests } = await unreadableRun(({ temperature, seed = 0 }) => {
    if (fails) return new Failure('ContextTooLong', 'Too long.');
    if (temperature > 0) seeds.add(seed);
    return seeds.size > 2;
  });
  await start();
  expect((await start(again)).outcomes).toMatchObject({ unreadable: 1 });
  fails = true;
  expect((await start(again)).outcomes).toMatchObject({ failed: 1 });
  const failing = requests.at(-1);
  fails = false;
  // A retry as usual asks what has failed in the same way.
  const retried = await start();
  expect(retried.asked[0]).toEqual(failing);
  expect(retried.outcomes).toMatchObject({ unreadable: 1 });
  expect((await start(again)).outcomes).toMatchObject({ answered: 3 });
  expect(await answer(1)).toMatchObject({ resample: 3 });
  expect((await manifest())?.resampled).toHaveLength(3);
  // But for the one that had failed nothing was asked twice.
  const texts = requests.map((request) => JSON.stringify(request));
  expect(new Set(texts).size).toBe(texts.length - 1);
});

it('asks only the call that could not be read: the others are served', async () => {
  const { start } = await unreadableRun(
    ({ temperature }, step) => step !== 'read' || temperature > 0,
    { method: 'hyde', options: {} },
  );
  expect((await start()).outcomes).toMatchObject({ unreadable: 1 });
  const { asked, outcomes } = await start(again);
  expect(outcomes).toMatchObject({ answered: 3 });
  expect(asked).toHaveLength(1);
});
