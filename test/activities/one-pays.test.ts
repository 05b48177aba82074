/** Of several that ask for the same at once one pays, and the others have its answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { Failure } from '../../core/failure.js';
import { ownClock } from '../support/own-clock.js';
import { cancelling, LEASE_MS, payingWorkers as setUp } from './paying-workers.js';

beforeEach(ownClock);

it('is paid for by one of two attempts of the same activity', async () => {
  const { model, worker, asked } = setUp([{ say: 'Bell', delayMs: 2 * LEASE_MS }]);
  const first = worker().ask();
  await asked(1);
  const both = await Promise.all([first, worker().ask()]);
  for (const { value } of both) {
    expect(value).toMatchObject({ value: 'Bell', usage: { cached: false, costUsd: 0.001 } });
  }
  expect(model.requests).toHaveLength(1);
});

it('is paid for by one of twenty questions that ask the same', async () => {
  const { model, worker } = setUp([{ say: 'Bell', delayMs: 300 }]);
  const { ask } = worker();
  const ids = Array.from({ length: 20 }, (_, i) => `question ${i}`);
  const answers = await Promise.all(ids.map((id) => ask({ id })));
  expect(answers.map(({ value }) => value?.value)).toEqual(ids.map(() => 'Bell'));
  expect(answers.filter(({ value }) => !value?.usage.cached)).toHaveLength(1);
  expect(model.requests).toHaveLength(1);
});

it('is paid for by each where a kept answer was not wanted', async () => {
  const { model, worker } = setUp([{ say: 'Bell' }, { say: 'Gray' }]);
  const { ask } = worker();
  const fresh = (id: string) => ask({ id }, { cache: false });
  const answers = await Promise.all([fresh('a'), fresh('b')]);
  expect(new Set(answers.map(({ value }) => value?.value))).toEqual(new Set(['Bell', 'Gray']));
  expect(model.requests).toHaveLength(2);
});

it('is taken over at once from one that was cancelled or that failed', async () => {
  const { model, worker, asked } = setUp([
    { say: 'Bell', delayMs: 60_000 },
    { say: new Failure('ContentRefused', 'No.'), delayMs: 100 },
    { say: 'Bell' },
  ]);
  const { ask } = worker(60_000);
  const { options, cancel } = cancelling({ cancelRequested: true });
  const first = ask({ id: 'a', ...options });
  await asked(1);
  const second = ask({ id: 'b' });
  cancel();
  await first;
  await asked(2);
  const third = ask({ id: 'c' });
  expect((await second).failure?.type).toBe('ContentRefused');
  expect((await third).value?.value).toBe('Bell');
  expect(model.requests).toHaveLength(3);
});

it('is the first that was written, where a worker slept longer than its lease', async () => {
  const { model, worker, asked } = setUp([
    { say: 'Bell', delayMs: 200 },
    { say: 'Gray', delayMs: 200 },
  ]);
  const sleeping = worker();
  const first = sleeping.ask({ id: 'a' });
  await asked(1);
  sleeping.way.stop();
  const second = await worker().ask({ id: 'b' });
  sleeping.way.goOn();
  expect(second.value?.value).toBe('Gray');
  expect((await first).value?.value).toBe('Gray');
  const third = await worker().ask({ id: 'c' });
  expect(third.value).toMatchObject({ value: 'Gray', usage: { cached: true } });
  expect(model.requests).toHaveLength(2);
});

it('comes to the next attempt, where the server has lost sight of the one that pays', async () => {
  const { model, worker, asked } = setUp([{ say: 'Bell', delayMs: 500 }]);
  const { ask } = worker();
  const { options, cancel } = cancelling({ notFound: true });
  void ask(options);
  await asked(1);
  cancel();
  const { value } = await ask();
  expect(value).toMatchObject({ value: 'Bell', usage: { cached: false } });
  expect(value?.usage).not.toHaveProperty('estimated');
  expect(model.requests).toHaveLength(1);
});

it('is given up where the question has ended', async () => {
  const { worker, asked } = setUp([{ say: 'Bell', delayMs: 60_000 }], false);
  const { options, cancel } = cancelling({ notFound: true });
  const paying = worker().ask(options);
  await asked(1);
  cancel();
  expect((await paying).value).toBeUndefined();
});

it('is waited for until the question is cancelled', async () => {
  const { worker, asked } = setUp([{ say: 'Bell', delayMs: 1000 }]);
  const { ask } = worker();
  const paying = ask({ id: 'a' });
  await asked(1);
  const { options, cancel } = cancelling({ cancelRequested: true });
  const waiting = ask({ id: 'b', ...options });
  await sleep(50);
  cancel();
  expect((await waiting).value).toBeUndefined();
  expect((await paying).value?.value).toBe('Bell');
});

it('is waited for without using up the time or the attempts of the one that waits', async () => {
  const { model, worker, asked } = setUp([
    { say: new Failure('ContentRefused', 'No.'), delayMs: 1200 },
    { say: 'Bell', delayMs: 600 },
  ]);
  const { ask } = worker();
  const paying = ask({ id: 'a' });
  await asked(1);
  const { value } = await ask({ id: 'b' }, { timeoutSeconds: 1 });
  await paying;
  expect(value?.value).toBe('Bell');
  expect(model.requests).toHaveLength(2);
});

it('stays with the one that can use it, whatever becomes of others that cannot', async () => {
  const unreadable = ' ';
  const { model, worker } = setUp([
    { say: unreadable },
    { say: new Failure('ContentRefused', 'No.') },
  ]);
  const { ask } = worker();
  const before = await ask({ id: 'a' });
  expect((await ask({ id: 'b' })).failure?.type).toBe('ContentRefused');
  const after = await ask({ id: 'a' });
  expect(after.value).toEqual(before.value);
  expect(model.requests).toHaveLength(2);
});
