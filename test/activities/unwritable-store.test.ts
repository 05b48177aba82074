/** A store that reads but cannot be written: what was paid for is carried until it is kept. */
import { describe, expect, it } from 'vitest';
import type { Ports } from '../../activities/runtime/ports.js';
import { modelActivity } from '../../activities/runtime/run-model-step.js';
import { createEmbeddingActivities } from '../../activities/steps/other.js';
import { Failure } from '../../core/failure.js';
import type { CallUsage } from '../../core/usage.js';
import { EmbeddingCache } from '../../llm/embedding-cache.js';
import type { EmbeddingModel } from '../../llm/embedding-model.js';
import { RerankCache } from '../../llm/rerank-cache.js';
import type { Reranker } from '../../llm/reranker.js';
import { ResponseCache } from '../../llm/response-cache.js';
import type { SentCall } from '../../steps/call.js';
import { read } from '../../steps/readers.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import { attempt } from '../support/activity.js';
import { tokens } from '../support/completion.js';
import { fakeEmbeddings } from '../support/fake-embeddings.js';
import { testPorts } from '../support/ports.js';
import { modelThatSays } from '../support/saying.js';

const CALL: SentCall = { model: 'scripted-1', corpus: null, timeoutSeconds: 1 };
const BOUNDS = { timeoutSeconds: 1 };
const INPUT = { question: 'Who?', passages: [], demonstrations: [] };

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

type Activity = (ports: Ports, call?: Partial<SentCall>) => Promise<{ usage: CallUsage }>;

const ask: Activity = (ports, call = {}) => modelActivity(read, ports)(INPUT, { ...CALL, ...call });
const embed: Activity = (ports, bounds = BOUNDS) =>
  createEmbeddingActivities(ports).embedTexts({ texts: ['a', 'b'] }, bounds);
const score: Activity = (ports, bounds = BOUNDS) => {
  const input = { text: 'Who?', passages: ['p1', 'p2'], count: 2 };
  return createEmbeddingActivities(ports).rankByCrossEncoder(input, 'sample', bounds);
};

/** Workers of one store each that pay for something at the same provider, and how often that was. */
function paying(activity: Activity) {
  let asked = 0;
  const llm = modelThatSays(() => {
    asked++;
    return { text: 'Bell', costUsd: 0.002 };
  });
  const embeddings = fakeEmbeddings();
  const reranker: Reranker = {
    ...{ provider: 'fake', model: 'fake' },
    async score(_query, documents) {
      asked++;
      return { scores: documents.map(() => 1), usage: tokens(0), costUsd: 0.002 };
    },
  };
  const worker = (store: MemoryStore) => {
    const ports = testPorts(llm, {
      responses: new ResponseCache(store),
      embeddings: new EmbeddingCache(embeddings, store),
      reranker: new RerankCache(reranker, store),
    }) as Ports;
    return (call?: Partial<SentCall>) => activity(ports, call);
  };
  return { worker, asked: () => asked + embeddings.requests.length };
}

describe.each<[string, Activity]>([
  ['an answer', ask],
  ['vectors', embed],
  ['scores', score],
])('%s', (_, activity) => {
  const PAID = { cached: false, costUsd: 0.002 };
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
  const { worker, asked } = paying(ask);
  const dying = new AbortController();
  setTimeout(() => dying.abort(new Error('killed')), 500);
  const full = worker(new FullStore(1000));
  const { details } = await attempt(() => full({ timeoutSeconds: 60 }), { signal: dying.signal });
  const other = worker(new MemoryStore());
  const { value } = await attempt(() => other(), { details });
  expect(value).toMatchObject({ value: 'Bell', usage: { cached: false, costUsd: 0.002 } });
  expect(asked()).toBe(1);
});

it.each([
  ['once the patience is over', 0, true],
  ['and not before', 60, false],
])(
  'fails the question at last, by what every other one would meet: %s',
  async (_, outageSeconds, nonRetryable) => {
    const { worker, asked } = paying(ask);
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
  const texts = Array.from({ length: 200 }, (_, k) => `text ${k}`);
  const long: EmbeddingModel = {
    provider: 'long',
    model: 'long',
    embed: async (asked) => ({
      vectors: asked.map(() => Array(1500).fill(0.5)),
      usage: tokens(0),
      costUsd: 0,
    }),
  };
  const embeddings = new EmbeddingCache(long, new FullStore(10_000));
  const run = createEmbeddingActivities(
    testPorts(scriptedModel([]), { embeddings }) as Ports,
  ).embedTexts;
  const { failure, details } = await attempt(() => run({ texts }, BOUNDS));
  expect(failure?.type).toBe('StoreUnwritable');
  expect(JSON.stringify(details).length).toBeLessThan(1000);
});
