/** What attempts without an answer may cost is in the usage of the call, and told apart. */
import { expect, it } from 'vitest';
import { Failure, type FailureType } from '../../core/failure.js';
import { cancelling, payingWorkers } from '../support/paying-workers.js';

/** What the scripted model says that an answer costs. */
const ANSWER_USD = 0.001;

function estimatedOf(details: unknown[] | null | undefined) {
  const [detail] = details ?? [];
  return (detail as { estimated?: { attempts: number; costUsd: number } } | undefined)?.estimated;
}

it.each<FailureType>(['Timeout', 'Connection', 'MalformedResponse'])(
  'is counted after a failure of type %s',
  async (type) => {
    const { worker } = payingWorkers([{ say: new Failure(type, 'No answer.') }, { say: 'Bell' }]);
    const first = await worker().ask();
    const { value } = await worker().ask({ details: first.details });
    const estimated = value?.usage.estimated;
    expect(estimated).toMatchObject({ attempts: 1, repeated: 0 });
    expect(estimated?.promptTokens).toBeGreaterThan(10);
    expect(estimated?.completionTokens).toBeGreaterThan(0);
    // A dollar for a million tokens.
    const tokens = (estimated?.promptTokens ?? 0) + (estimated?.completionTokens ?? 0);
    expect(estimated?.costUsd).toBeCloseTo(tokens / 1e6, 12);
    expect(value?.usage.costUsd).toBeCloseTo(ANSWER_USD + tokens / 1e6, 12);
  },
);

it.each<[string, Failure]>([
  ['a refusal for rate', new Failure('RateLimited', 'Later.')],
  ['an overload', new Failure('Overloaded', 'Later.')],
  [
    'a server that is not there',
    new Failure('Connection', 'Nothing answers.', {
      cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
    }),
  ],
])('is nothing after %s', async (_, failure) => {
  const { worker } = payingWorkers([{ say: failure }, { say: 'Bell' }]);
  const first = await worker().ask();
  const { value } = await worker().ask({ details: first.details });
  expect(value?.usage).not.toHaveProperty('estimated');
  expect(value?.usage.costUsd).toBe(ANSWER_USD);
});

it('is counted where the call took longer than it may', async () => {
  const { worker } = payingWorkers([{ say: 'Bell', delayMs: 60_000 }, { say: 'Bell' }]);
  const first = await worker().ask({}, { timeoutSeconds: 0.2 });
  expect(first.failure?.type).toBe('Timeout');
  const { value } = await worker().ask({ details: first.details });
  expect(value?.usage.estimated).toMatchObject({ attempts: 1, repeated: 0 });
});

it('is told by a call that fails for good', async () => {
  const script = Array.from({ length: 3 }, () => ({ say: new Failure('Timeout', 'No answer.') }));
  const { worker } = payingWorkers(script);
  let details: unknown;
  for (let n = 1; n <= 3; n++) {
    const one = await worker().ask({ details }, { attempts: 3 });
    details = one.details;
    if (n < 3) continue;
    expect(one.failure?.nonRetryable).toBe(true);
    expect(estimatedOf(one.failure?.details)).toMatchObject({ attempts: 3 });
  }
});

it('is told by whoever takes over from a worker that died, once', async () => {
  const { worker, asked } = payingWorkers([{ say: 'Bell', delayMs: 200 }, { say: 'Bell' }]);
  const dying = worker();
  void dying.ask();
  await asked(1);
  dying.way.stop();
  const { value } = await worker().ask();
  expect(value?.usage.estimated).toMatchObject({ attempts: 1, repeated: 1 });
  // Its result is lost on the way to the server: the next attempt tells the same.
  const again = await worker().ask();
  expect(again.value).toEqual(value);
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

it('is not counted where an attempt was only lost sight of, and answered', async () => {
  const { worker, asked } = payingWorkers([{ say: 'Bell', delayMs: 300 }]);
  const { ask } = worker();
  const { options, cancel } = cancelling({ notFound: true });
  void ask(options);
  await asked(1);
  cancel();
  expect((await ask()).value?.usage).not.toHaveProperty('estimated');
});
