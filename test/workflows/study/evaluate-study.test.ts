/** A whole study on a server: what it asks, in which order, and what it goes on from. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { Failure } from '../../../core/failure.js';
import type { StudyInput } from '../../../core/study/study.js';
import { studyCells } from '../../../evaluation/study/study-of.js';
import { gate, type Reply, setUpRun, soon } from '../../support/run.js';

async function setUpStudy(questions: number, reply: Reply, more: Partial<StudyInput> = {}) {
  const { harness, model, client, spec } = await setUpRun(questions, reply);
  const input: StudyInput = {
    name: `study-${randomUUID().slice(0, 8)}`,
    methods: [{ base: { passages: 0 } }, { base: { passages: 1 }, as: 'searching' }],
    datasets: [{ stored: spec.dataset, as: 'numbers', corpus: 'sample' }],
    baseline: 'base',
    ...more,
  };
  return { harness, model, client, input };
}

it('asks all runs breadth first, and a cell that is added asks only itself', async () => {
  const slow = gate();
  /** Numbers in the order in which they were first asked: that of the draw, round by round. */
  const drawn: number[] = [];
  const { harness, model, client, input } = await setUpStudy(32, async (number) => {
    if (!drawn.includes(number)) drawn.push(number);
    if (drawn.indexOf(number) === 31) await slow.opened;
    return number % 2 === 0 ? 'Bell' : 'Gray';
  });
  const twice = { ...input, repeats: 2 };
  const handle = await client.study(twice);
  // A question of the last round does not hold what the others have still to ask before it.
  const waiting = await soon(async () => {
    const progress = await handle.progress();
    expect(progress.runs.every(({ done }) => done >= 20)).toBe(true);
    return progress;
  });
  expect(waiting).toMatchObject({ study: input.name, state: 'running', pause: null });
  slow.open();
  const ended = await handle.result();
  expect(ended).toMatchObject({ state: 'finished', budgetUsd: null, spentUsd: 0.128 });
  expect(ended.runs.map(({ state, done, failed }) => [state, done, failed])).toEqual(
    Array.from({ length: 4 }, () => ['finished', 32, 0]),
  );
  expect(model.asked).toHaveLength(128);
  // The first twenty questions of all runs come before the thirty-first of any.
  const firstOfThird = model.asked.findIndex((number) => drawn.indexOf(number) >= 30);
  const before = model.asked.slice(0, firstOfThird);
  expect(before.filter((number) => drawn.indexOf(number) < 20)).toHaveLength(80);

  const cells = studyCells(await harness.ports.runs.list(), input.name);
  expect(cells).toMatchObject({
    baseline: 'base',
    cells: [
      { method: 'base', dataset: 'numbers', runs: [expect.any(String), expect.any(String)] },
      { method: 'searching', dataset: 'numbers', runs: [expect.any(String), expect.any(String)] },
    ],
  });

  const more = await client.study({
    ...twice,
    methods: [...input.methods, { base: { passages: 2 }, as: 'two' }],
  });
  await more.result();
  expect(model.asked).toHaveLength(128 + 64);
});

it('pauses when the budget is spent, and goes on with a larger one', async () => {
  const { model, client, input } = await setUpStudy(30, () => 'Bell', { budgetUsd: 0.02 });
  const handle = await client.study(input);
  const paused = await soon(async () => {
    const progress = await handle.progress();
    expect(progress.state).toBe('paused');
    return progress;
  });
  expect(paused.pause?.reason).toBe('budget');
  // Each of the runs may have four questions under way before it knows what one costs.
  expect(model.asked.length).toBeGreaterThanOrEqual(15);
  expect(model.asked.length).toBeLessThanOrEqual(20 + 2 * 4);
  await handle.set({ budgetUsd: null });
  await handle.resume();
  expect(await handle.result()).toMatchObject({ state: 'finished', pause: null });
  const ended = { type: 'Conflict', message: `The study "${handle.study}" is not under way.` };
  await expect(handle.pause()).rejects.toMatchObject(ended);
  expect(model.asked).toHaveLength(60);
});

it('pauses with its runs, and resumes with what is left', async () => {
  const slow = gate();
  const { model, client, input } = await setUpStudy(
    40,
    async (number) => {
      if (number === 10) await slow.opened;
      return 'Bell';
    },
    { concurrency: 5 },
  );
  const handle = await client.study(input);
  await soon(() => expect(model.asked.filter((number) => number === 10).length).toBe(2));
  await handle.pause();
  const begun = model.asked.length;
  slow.open();
  await soon(async () => expect((await handle.progress()).state).toBe('paused'));
  expect(model.asked.length).toBeLessThanOrEqual(begun + 10);
  await handle.resume();
  expect(await handle.result()).toMatchObject({ state: 'finished' });
  expect(model.asked).toHaveLength(80);
});

it('is cancelled with its runs, and started again asks the rest', async () => {
  let isStuck = true;
  const { model, client, input } = await setUpStudy(
    30,
    (number) => (isStuck && number >= 15 ? 'hang' : 'Bell'),
    { concurrency: 30 },
  );
  const handle = await client.study(input);
  await soon(() => expect(model.flight.now).toBeGreaterThanOrEqual(10));
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow();
  await soon(() => expect(model.flight.now).toBe(0));
  isStuck = false;
  const again = await (await client.study(input)).result();
  expect(again.runs.map(({ done }) => done)).toEqual([30, 30]);
});

it('goes on with the others where one cell cannot be asked', async () => {
  const { client, input } = await setUpStudy(5, () => 'Bell');
  const datasets = [...input.datasets, { stored: 'nowhere', as: 'elsewhere' }];
  const ended = await (await client.study({ ...input, datasets })).result();
  expect(ended.runs.map(({ state }) => state)).toEqual([
    ...['finished', 'finished', 'failed', 'failed'],
  ]);
  expect(ended.runs.at(-1)?.failure).toContain('nowhere');
});

it('asks what has failed once in a start, and again where it is told to', async () => {
  const { model, client, input } = await setUpStudy(25, (number) =>
    number % 5 === 0 ? new Failure('ContentRefused', 'No.') : 'Bell',
  );
  const ended = await (await client.study(input)).result();
  expect(ended.runs.map(({ done, failed }) => [done, failed])).toEqual([
    [25, 5],
    [25, 5],
  ]);
  expect(model.asked).toHaveLength(50);
  const again = await (await client.retryStudy(input.name)).result();
  expect(again.runs).toEqual(ended.runs);
  expect(model.asked.slice(50).every((number) => number % 5 === 0)).toBe(true);
  expect(model.asked).toHaveLength(50 + 10);
});
