/** A store that reads but cannot be written: what was paid for is carried until it is kept. */
import { describe, expect, it } from 'vitest';
import type { Ports } from '../../activities/runtime/ports.js';
import { modelActivity } from '../../activities/runtime/run-model-step.js';
import { createEmbeddingActivities } from '../../activities/steps/embeddings.js';
import { Failure } from '../../core/failure.js';
import { EmbeddingCache } from '../../llm/embedding-cache.js';
import type { EmbeddingModel } from '../../llm/embedding-model.js';
import { RerankCache } from '../../llm/rerank-cache.js';
import type { Reranker } from '../../llm/reranker.js';
import { ResponseCache } from '../../llm/response-cache.js';
import type { SentCall } from '../../steps/call.js';
import { read } from '../../steps/readers.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import type { EmbeddingOutput } from '../../workflows/activities/calls.js';
import { attempt } from '../support/activity.js';
import { fakeEmbeddings } from '../support/fake-embeddings.js';
import { testPorts } from '../support/ports.js';

const CALL: SentCall = { model: 'scripted-1', corpus: null, timeoutSeconds: 1 };
const BOUNDS = { timeoutSeconds: 1 };
const NOTHING = { promptTokens: 0, cachedPromptTokens: 0, completionTokens: 0 };
const INPUT = { question: 'Who?', passages: [], demonstrations: [] };
const PAID = { value: 'Bell', usage: { cached: false, costUsd: 0.001 } };

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
  const store = new FullStore(3);
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

it('pays for nothing that could not be kept', async () => {
  const model = bell();
  const full = await attempt(() => worker(model, new FullStore(1000, 0))());
  expect(full.failure).toMatchObject({ type: 'StoreUnwritable', nonRetryable: false });
  expect(full.failure?.message).toContain('none is paid for: The disk is full.');
  expect(model.requests).toHaveLength(0);
  const { value } = await attempt(() => worker(model, new MemoryStore())(), full);
  expect(value).toMatchObject(PAID);
});

it.each([
  ['once the patience is over', 0, true],
  ['and not before', 60, false],
])(
  'fails the question at last, by what every other one would meet: %s',
  async (_, outageSeconds, nonRetryable) => {
    const model = bell();
    const ask = worker(model, new FullStore(1000));
    const { details } = await attempt(() => ask({ outageSeconds }));
    const { failure } = await attempt(() => ask({ outageSeconds }), { details });
    expect(failure).toMatchObject({ type: 'StoreUnwritable', nonRetryable });
    expect(model.requests).toHaveLength(1);
  },
);

it('is told before anything is paid', async () => {
  const cache = new ResponseCache(new FullStore(1, 0));
  await expect(cache.probe()).rejects.toMatchObject({ type: 'StoreUnwritable' });
  await expect(cache.probe()).resolves.toBeUndefined();
});

describe.each([
  [
    'vectors',
    (ports: Ports) => createEmbeddingActivities(ports).embedTexts({ texts: ['a', 'b'] }, BOUNDS),
  ],
  [
    'scores',
    (ports: Ports) => {
      const input = { text: 'Who?', passages: ['p1', 'p2'], count: 2 };
      return createEmbeddingActivities(ports).rankByCrossEncoder(input, 'sample', BOUNDS);
    },
  ],
])('%s', (_, activity) => {
  const BOUGHT = { cached: false, costUsd: 0.002 };

  function paying() {
    const model = fakeEmbeddings();
    let scored = 0;
    const reranker: Reranker = {
      provider: 'fake',
      model: 'fake',
      async score(_query, documents) {
        scored++;
        return { scores: documents.map(() => 1), usage: NOTHING, costUsd: 0.002 };
      },
    };
    const worker = (store: MemoryStore) => {
      const ports = testPorts(bell(), {
        embeddings: new EmbeddingCache(model, store),
        reranker: new RerankCache(reranker, store),
      });
      return (): Promise<EmbeddingOutput<unknown>> => activity(ports as Ports);
    };
    return { worker, asked: () => model.requests.filter(({ length }) => length).length + scored };
  }

  it('are written again until the store takes them', async () => {
    const { worker, asked } = paying();
    const store = new FullStore(2);
    const { value } = await attempt(worker(store));
    expect(value?.usage).toMatchObject(BOUGHT);
    expect(asked()).toBe(1);
    const again = await attempt(worker(store), { id: 'another' });
    expect(again.value?.usage).toMatchObject({ cached: true, costUsd: 0 });
    expect(asked()).toBe(1);
  });

  it('are not paid for where they could not be kept', async () => {
    const { worker, asked } = paying();
    const { failure } = await attempt(worker(new FullStore(1000, 0)));
    expect(failure).toMatchObject({ type: 'StoreUnwritable', nonRetryable: false });
    expect(asked()).toBe(0);
  });

  it('are left to the next attempt, with what they cost', async () => {
    const { worker, asked } = paying();
    const first = await attempt(worker(new FullStore(1000)));
    expect(first.failure).toMatchObject({ type: 'StoreUnwritable', nonRetryable: false });
    const store = new MemoryStore();
    const { value } = await attempt(worker(store), { details: first.details });
    expect(value?.usage).toMatchObject(BOUGHT);
    expect(asked()).toBe(1);
    const again = await attempt(worker(store), { id: 'another' });
    expect(again.value).toMatchObject({ value: value?.value, usage: { cached: true } });
  });
});

it('are not carried where there are more than a heartbeat can hold', async () => {
  const texts = Array.from({ length: 200 }, (_, k) => `text ${k}`);
  const long: EmbeddingModel = {
    provider: 'long',
    model: 'long',
    embed: async (asked) => ({
      vectors: asked.map(() => Array(1500).fill(0.5)),
      usage: NOTHING,
      costUsd: 0,
    }),
  };
  const embeddings = new EmbeddingCache(long, new FullStore(10_000));
  const run = createEmbeddingActivities(testPorts(bell(), { embeddings }) as Ports).embedTexts;
  const { failure, details } = await attempt(() => run({ texts }, BOUNDS));
  expect(failure?.type).toBe('StoreUnwritable');
  expect(JSON.stringify(details).length).toBeLessThan(1000);
});
