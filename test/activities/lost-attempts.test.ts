/** What attempts may cost whose worker died, stood still or was lost sight of is told once. */
import { beforeEach, expect, it } from 'vitest';
import { Failure } from '../../core/failure.js';
import { ownClock } from '../support/own-clock.js';
import { payingWorkers } from './paying-workers.js';

beforeEach(ownClock);

it('is told by whoever takes over from a worker that died, once', async () => {
  const { worker, asked } = payingWorkers([{ say: 'Bell', delayMs: 200 }, { say: 'Bell' }]);
  const dying = worker();
  void dying.ask();
  await asked(1);
  dying.way.stop();
  const { value } = await worker().ask();
  const { ran: _, ...told } = value ?? {};
  expect(value?.usage.estimated).toMatchObject({ attempts: 1, repeated: 1 });
  // Its result is lost on the way to the server: the next attempt tells the same.
  const again = await worker().ask();
  expect(again.value).toMatchObject(told);
  const other = await worker().ask({ id: 'another' });
  expect(other.value?.usage).toMatchObject({ cached: true, costUsd: 0 });
  expect(other.value?.usage).not.toHaveProperty('estimated');
});

it('is told where the one that stood still goes on, and is the first to answer', async () => {
  const { worker, asked } = payingWorkers([
    { say: 'Bell', delayMs: 200 },
    { say: 'Gray', delayMs: 3000 },
  ]);
  const stopped = worker();
  const first = stopped.ask();
  await asked(1);
  stopped.way.stop();
  const second = worker().ask();
  await asked(2);
  stopped.way.goOn();
  expect((await first).value?.value).toBe('Bell');
  const { value } = await second;
  expect(value?.value).toBe('Bell');
  expect(value?.usage.estimated).toMatchObject({ attempts: 1, repeated: 1 });
});

it('adds up over several that died, and one that failed', async () => {
  const { worker, asked } = payingWorkers([
    { say: 'Bell', delayMs: 60_000 },
    { say: 'Bell', delayMs: 60_000 },
    { say: new Failure('Timeout', 'No answer.') },
    { say: 'Bell' },
  ]);
  for (const n of [1, 2]) {
    const dying = worker();
    void dying.ask();
    await asked(n);
    dying.way.stop();
  }
  const failed = await worker().ask();
  expect(failed.failure?.type).toBe('Timeout');
  const { value } = await worker().ask({ details: failed.details });
  expect(value?.usage.estimated).toMatchObject({ attempts: 3, repeated: 2 });
});

it('counts a refusal that came as an answer, and none that came before', async () => {
  const { worker } = payingWorkers([
    { say: new Failure('ContentRefused', 'No.', { billed: true }) },
    { say: new Failure('ContentRefused', 'No.') },
  ]);
  const { ask } = worker();
  expect((await ask()).details).toMatchObject({ estimated: { attempts: 1 } });
  expect((await ask({ id: 'b' })).details).not.toHaveProperty('estimated');
});
