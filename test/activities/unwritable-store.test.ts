/** A store that reads but cannot be written: what was paid for is carried until it is kept. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Ports } from '../../activities/runtime/ports.js';
import { Failure } from '../../core/failure.js';
import { EmbeddingCache } from '../../llm/embedding-cache.js';
import type { EmbeddingModel } from '../../llm/embedding-model.js';
import { ResponseCache } from '../../llm/response-cache.js';
import type { SentCall } from '../../steps/call.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import { attempt } from '../support/activity.js';
import { tokens } from '../support/completion.js';
import { ownClock } from '../support/own-clock.js';
import { testPorts } from '../support/ports.js';
import { answer, PAYING, type Pay, payingPorts, TAKEN, vectors } from './paying.js';

const BOUNDS = { timeoutSeconds: 1 };

beforeEach(ownClock);

/** Takes one value, the lease or the probe; then none so many times. It can be read all the while. */
class FullStore extends MemoryStore {
  tried = 0;
  constructor(
    private times: number,
    private taken = 1,
  ) {
    super();
  }
  override async setIfAbsent(key: string, value: string): Promise<boolean> {
    this.#take();
    return super.setIfAbsent(key, value);
  }
  override async set(key: string, value: string): Promise<void> {
    this.#take();
    return super.set(key, value);
  }
  override async compareAndSet(key: string, before: string, after: string): Promise<boolean> {
    this.#take();
    return super.compareAndSet(key, before, after);
  }
  #take(): void {
    this.tried++;
    if (this.taken-- > 0) return;
    if (this.times-- > 0) throw new Failure('Connection', 'The disk is full.');
  }
}

/** Workers of one store each that pay for something at the same provider, and how often that was. */
function paying(activity: Pay) {
  let asked = 0;
  const give = async () => void asked++;
  const worker = (store: MemoryStore) => {
    const ports = payingPorts(give, { store });
    return (call?: Partial<SentCall>) => activity(ports, { ...BOUNDS, ...call });
  };
  return { worker, asked: () => asked };
}

const PAID = { cached: false, costUsd: TAKEN.costUsd };

describe.each(PAYING)('%s', (_, activity) => {
  const UNWRITABLE = { type: 'StoreUnwritable', nonRetryable: false };

  it('is written again until the store takes it, and paid for once', async () => {
    const { worker, asked } = paying(activity);
    const store = new FullStore(2);
    const one = worker(store);
    const { value } = await attempt(() => one({ timeoutSeconds: 60 }));
    expect(value?.usage).toMatchObject(PAID);
    const again = await attempt(() => one(), { id: 'another' });
    expect(again.value?.usage).toMatchObject({ cached: true, costUsd: 0 });
    expect(asked()).toBe(1);
  });

  it('is left to the next attempt, on whichever worker, which pays nothing', async () => {
    const { worker, asked } = paying(activity);
    const full = worker(new FullStore(1000));
    const first = await attempt(() => full());
    expect(first.failure).toMatchObject(UNWRITABLE);
    expect(first.failure?.message).toContain('The disk is full.');
    const other = worker(new MemoryStore());
    const { value } = await attempt(() => other(), { details: first.details });
    expect(value?.usage).toMatchObject(PAID);
    const again = await attempt(() => other(), { id: 'another' });
    expect(again.value?.usage.cached).toBe(true);
    expect(asked()).toBe(1);
  });

  it('is not paid for where it could not be kept', async () => {
    const { worker, asked } = paying(activity);
    const full = worker(new FullStore(1000, 0));
    const { failure } = await attempt(() => full());
    expect(failure).toMatchObject(UNWRITABLE);
    expect(failure?.message).toContain('none is paid for: The disk is full.');
    expect(asked()).toBe(0);
  });
});

it('an answer is found in the heartbeat where the worker dies before it could fail', async () => {
  const { worker, asked } = paying(answer);
  const dying = new AbortController();
  setTimeout(() => dying.abort(new Error('killed')), 500);
  const full = worker(new FullStore(1000));
  const { details } = await attempt(() => full({ timeoutSeconds: 60 }), { signal: dying.signal });
  const other = worker(new MemoryStore());
  const { value } = await attempt(() => other(), { details });
  expect(value?.usage).toMatchObject(PAID);
  expect(asked()).toBe(1);
});

it.each([
  ['once the patience is over', 0, true],
  ['and not before', 60, false],
])(
  'fails the question at last, by what every other one would meet: %s',
  async (_, outageSeconds, nonRetryable) => {
    const { worker, asked } = paying(answer);
    const full = worker(new FullStore(1000));
    const { details } = await attempt(() => full({ outageSeconds }));
    const { failure } = await attempt(() => full({ outageSeconds }), { details });
    expect(failure).toMatchObject({ type: 'StoreUnwritable', nonRetryable });
    expect(asked()).toBe(1);
  },
);

it('is told before anything is paid', async () => {
  const cache = new ResponseCache(new FullStore(1, 0));
  await expect(cache.probe()).rejects.toMatchObject({ type: 'StoreUnwritable' });
  await expect(cache.probe()).resolves.toBeUndefined();
});

it('vectors are not carried where there are more than a heartbeat can hold', async () => {
  const long: EmbeddingModel = {
    provider: 'long',
    model: 'long',
    embed: async (asked) => ({
      vectors: asked.map(() => Array(150_000).fill(0.5)),
      usage: tokens(0),
      costUsd: 0,
    }),
  };
  const embeddings = new EmbeddingCache(long, new FullStore(10_000));
  const ports = testPorts(scriptedModel([]), { embeddings }) as Ports;
  const { failure, details } = await attempt(() => vectors(ports, BOUNDS));
  expect(failure?.type).toBe('StoreUnwritable');
  expect(JSON.stringify(details).length).toBeLessThan(1000);
});
