/** What was paid for is served again, to those it may serve. */
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { canonicalJson } from '../../core/canonical-json.js';
import {
  type CacheEntry,
  type CacheKeyParts,
  type Claimant,
  cacheKey,
  ResponseCache,
} from '../../llm/response-cache.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { completionOf, requestOf } from '../support/completion.js';

const entry: CacheEntry = {
  completion: completionOf({ text: 'Paris', costUsd: null }),
  origin: 'activity-1',
  at: '2026-01-01T00:00:00.000Z',
};

const parts: CacheKeyParts = {
  provider: 'openai',
  sample: 0,
  attempt: 0,
  request: requestOf('', {
    messages: [
      { role: 'system', content: 'Answer.' },
      { role: 'user', content: 'Where?' },
    ],
  }),
};

describe('the key', () => {
  const { request } = parts;
  test.each<[string, CacheKeyParts]>([
    ['provider', { ...parts, provider: 'http://127.0.0.1:1/v1' }],
    ['sample', { ...parts, sample: 1 }],
    ['attempt', { ...parts, attempt: 1 }],
    ['model', { ...parts, request: { ...request, model: 'n' } }],
    ['temperature', { ...parts, request: { ...request, temperature: 1 } }],
    ['topP', { ...parts, request: { ...request, topP: 1 } }],
    ['maxTokens', { ...parts, request: { ...request, maxTokens: 11 } }],
    ['seed', { ...parts, request: { ...request, seed: 0 } }],
    ['a field of the body', { ...parts, request: { ...request, extraBody: { a: 1 } } }],
    ['messages', { ...parts, request: { ...request, messages: request.messages.slice(1) } }],
    ['their order', { ...parts, request: { ...request, messages: request.messages.toReversed() } }],
  ])('changes with %s', (_, changed) => {
    expect(cacheKey(changed)).not.toBe(cacheKey(parts));
  });

  test('is the same for the same parts in another order, and short', () => {
    const { provider, sample, attempt } = parts;
    const { maxTokens, temperature, messages, model } = request;
    const turned = { maxTokens, temperature, messages, model };
    const reordered = { attempt, sample, request: turned, provider };
    expect(cacheKey(reordered)).toBe(cacheKey(parts));
    expect(cacheKey(parts)).toMatch(/^v1-[\w-]{16}$/);
  });

  test('comes from JSON that keeps everything', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

const payer = { origin: 'activity-1', run: 'run-1', serves: () => true };
const readable = { origin: 'activity-2', run: 'run-1', serves: () => true };
const unreadable = { origin: 'activity-2', run: 'run-1', serves: () => false };

async function looked(cache: ResponseCache, claimant: Claimant) {
  return (await cache.find('key', claimant)).entry;
}

describe('a response', () => {
  test('is served to everybody where it can be read', async () => {
    const cache = new ResponseCache(new MemoryStore());
    expect(await looked(cache, payer)).toBeUndefined();
    await cache.store('key', entry, undefined, payer);
    expect(await looked(cache, readable)).toEqual(entry);
  });

  test.each(['', 'null', '{"completion":', '[]', JSON.stringify({ ...entry, completion: {} })])(
    'that is damaged, %j, is none, and gives way',
    async (damaged) => {
      const store = new MemoryStore();
      await store.set('key', damaged);
      const cache = new ResponseCache(store);
      const found = await cache.find('key', payer);
      expect(found.entry).toBeUndefined();
      const lease = await cache.lease('key', found, payer);
      await lease?.end((expected) => cache.store('key', entry, expected, payer));
      expect(await looked(cache, readable)).toEqual(entry);
    },
  );

  test('that does not say how it ended serves nobody, and is there for those who read it', async () => {
    const store = new MemoryStore();
    const { end: _, ...completion } = entry.completion;
    const older = JSON.stringify({ ...entry, completion: { ...completion, cut: false } });
    await store.set('key', older);
    const cache = new ResponseCache(store);
    const found = await cache.find('key', payer);
    expect(found).toMatchObject({ entry: undefined, isUnended: true, isLeased: false });
    expect(await cache.text('key')).toBe('Paris');
    const lost = await cache.lease('key', found, payer);
    await lost?.release();
    expect(await cache.find('key', readable)).toMatchObject({ isUnended: true, isLeased: false });
    expect(await cache.text('key')).toBe('Paris');
    const lease = await cache.lease('key', await cache.find('key', payer), payer);
    await lease?.end((expected) => cache.store('key', entry, expected, payer));
    expect(await cache.find('key', readable)).toMatchObject({ entry, isUnended: false });
  });

  test('that ended by a word nobody knows serves its own run alone', async () => {
    const cache = new ResponseCache(new MemoryStore());
    const completion = { ...entry.completion, end: { unknown: 'moonset' } };
    const kept = { ...entry, run: 'run-1', completion };
    await cache.store('key', kept, undefined, payer);
    expect(await looked(cache, readable)).toEqual(kept);
    expect(await looked(cache, { ...readable, run: 'run-2' })).toBeUndefined();
    expect(await looked(cache, { ...payer, run: 'run-2' })).toEqual(kept);
    const other = { ...kept, run: 'run-2', origin: 'activity-3' };
    const claimant = { ...readable, run: 'run-2' };
    expect(await cache.store('key', other, JSON.stringify(kept), claimant)).toEqual(other);
    await cache.store('certain', { ...entry, run: 'run-1' }, undefined, payer);
    expect((await cache.find('certain', claimant)).entry?.completion.text).toBe('Paris');
  });

  test('is the first that was written, and that serves', async () => {
    const cache = new ResponseCache(new MemoryStore());
    const later = { ...entry, origin: 'activity-2', at: '2026-01-02T00:00:00.000Z' };
    expect(await cache.store('key', entry, undefined, payer)).toEqual(entry);
    expect(await cache.store('key', later, undefined, readable)).toEqual(entry);
    expect(await cache.store('key', later, undefined, unreadable)).toEqual(later);
    expect(await looked(cache, { ...payer, origin: 'activity-3' })).toEqual(later);
  });

  test('lets failures of the store through', async () => {
    const store = new MemoryStore();
    store.get = () => Promise.reject(new Error('the store is away'));
    store.setIfAbsent = () => Promise.reject(new Error('the store is away'));
    const cache = new ResponseCache(store);
    await expect(looked(cache, payer)).rejects.toThrow('away');
    await expect(cache.store('key', entry, undefined, payer)).rejects.toThrow('away');
  });
});

/** Who holds it, and for how long, is tested in test/activities/one-pays.test.ts. */
describe('a lease', () => {
  async function taken(store = new MemoryStore()) {
    const cache = new ResponseCache(store, 200);
    const found = await cache.find('key', payer);
    const lease = await cache.lease('key', found, payer);
    if (!lease) throw new Error('nobody had it');
    onTestFinished(() => lease.stop());
    const isLeased = async () => (await cache.find('key', readable)).isLeased;
    return { store, cache, lease, isLeased };
  }

  test('outlives a store that is away for a moment, and one whose answer got lost', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { store, isLeased } = await taken();
    const write = store.compareAndSet.bind(store);
    let calls = 0;
    store.compareAndSet = async (...args) => {
      if (++calls === 1) throw new Error('the store is away');
      const isWritten = await write(...args);
      if (calls === 2) throw new Error('the answer got lost');
      return isWritten;
    };
    await vi.advanceTimersByTimeAsync(500);
    expect(calls).toBeGreaterThan(8);
    expect(await isLeased()).toBe(true);
  });

  test('takes one operation more than no lease', async () => {
    const operations: string[] = [];
    const store = new MemoryStore();
    for (const name of ['get', 'set', 'setIfAbsent', 'compareAndSet', 'delete'] as const) {
      const own = store[name].bind(store) as (...given: string[]) => Promise<never>;
      store[name] = (...given: string[]) => {
        operations.push(name);
        return own(...given);
      };
    }
    const { cache, lease } = await taken(store);
    await lease.end((expected) => cache.store('key', entry, expected, payer));
    expect(operations).toEqual(['get', 'setIfAbsent', 'compareAndSet']);
  });
});
