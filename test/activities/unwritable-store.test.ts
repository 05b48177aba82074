/** A store that reads but cannot be written: what was paid for is carried until it is kept. */
import { expect, it } from 'vitest';
import type { Ports } from '../../activities/runtime/ports.js';
import { modelActivity } from '../../activities/runtime/run-model-step.js';
import { ResponseCache } from '../../llm/response-cache.js';
import { Failure } from '../../methods/failure.js';
import type { SentCall } from '../../steps/call.js';
import { read } from '../../steps/read/implementation.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import { attempt } from '../support/activity.js';
import { testPorts } from '../support/harness.js';

const CALL: SentCall = { model: 'scripted-1', corpus: null, timeoutSeconds: 1 };
const INPUT = { question: 'Who?', passages: [], demonstrations: [] };
const PAID = { value: 'Bell', usage: { cached: false, costUsd: 0.001 } };

/** Takes no value so many times; it can be read all the while. */
class FullStore extends MemoryStore {
  tried = 0;
  constructor(private times: number) {
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
  #take(): void {
    this.tried++;
    if (this.times-- > 0) throw new Failure('Connection', 'The disk is full.');
  }
}

/** One worker; all of them ask the same model. */
function worker(model: ReturnType<typeof scriptedModel>, store: MemoryStore) {
  const run = modelActivity(
    read,
    testPorts(model, { responses: new ResponseCache(store) }) as Ports,
  );
  return (call: Partial<SentCall> = {}) => run(INPUT, { ...CALL, ...call });
}

const bell = () => scriptedModel([{ step: 'read', say: 'Bell' }]);

it('is written again until it takes the response, which was paid for once', async () => {
  const model = bell();
  // The first is the lease.
  const store = new FullStore(4);
  const ask = worker(model, store);
  const { value } = await attempt(() => ask({ timeoutSeconds: 60 }));
  expect(value).toMatchObject(PAID);
  expect(store.tried).toBe(5);
  const again = await attempt(() => ask(), { id: 'another' });
  expect(again.value?.usage.cached).toBe(true);
  expect(model.requests).toHaveLength(1);
});

it('leaves the response to the next attempt, on whichever worker, which pays nothing', async () => {
  const model = bell();
  const first = await attempt(() => worker(model, new FullStore(1000))());
  expect(first.failure).toMatchObject({ type: 'StoreUnwritable', nonRetryable: false });
  expect(first.failure?.message).toContain('The disk is full.');

  const store = new MemoryStore();
  const second = await attempt(() => worker(model, store)(), { details: first.details });
  expect(second.value).toMatchObject(PAID);
  const later = await attempt(() => worker(model, store)(), { id: 'another' });
  expect(later.value?.usage.cached).toBe(true);
  expect(model.requests).toHaveLength(1);
});

it('is found in the heartbeat where the worker dies before it could fail', async () => {
  const model = bell();
  const dying = new AbortController();
  setTimeout(() => dying.abort(new Error('killed')), 500);
  const ask = worker(model, new FullStore(1000));
  const { details } = await attempt(() => ask({ timeoutSeconds: 60 }), { signal: dying.signal });
  const { value } = await attempt(() => worker(model, new MemoryStore())(), { details });
  expect(value).toMatchObject(PAID);
  expect(model.requests).toHaveLength(1);
});

it('fails the question at last, by what every other one would meet', async () => {
  const model = bell();
  const ask = worker(model, new FullStore(1000));
  const { details } = await attempt(() => ask());
  const { failure } = await attempt(() => ask(), { details });
  expect(failure).toMatchObject({ type: 'StoreUnwritable', nonRetryable: true });
  expect(model.requests).toHaveLength(1);
});

it('is told before anything is paid', async () => {
  const cache = new ResponseCache(new FullStore(1));
  await expect(cache.probe()).rejects.toMatchObject({ type: 'StoreUnwritable' });
  await expect(cache.probe()).resolves.toBeUndefined();
});
