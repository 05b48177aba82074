/** What was paid for is served again, to those it may serve. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CacheEntry,
  type CacheKeyParts,
  cacheKey,
  ResponseCache,
} from '../../llm/response-cache.js';
import { canonicalJson } from '../../methods/canonical-json.js';
import { MemoryStore } from '../../stores/memory-store.js';

const entry: CacheEntry = {
  completion: {
    text: 'Paris',
    cut: false,
    usage: { promptTokens: 5, cachedPromptTokens: 0, completionTokens: 1 },
    costUsd: null,
    servedModel: 'm',
    fingerprint: null,
  },
  origin: 'activity-1',
  at: '2026-01-01T00:00:00.000Z',
};

const parts: CacheKeyParts = {
  provider: 'openai',
  request: {
    model: 'm',
    messages: [
      { role: 'system', content: 'Answer.' },
      { role: 'user', content: 'Where?' },
    ],
    temperature: 0,
    maxTokens: 10,
  },
  sample: 0,
  attempt: 0,
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
    ['messages', { ...parts, request: { ...request, messages: request.messages.slice(1) } }],
    ['their order', { ...parts, request: { ...request, messages: request.messages.toReversed() } }],
  ])('changes with %s', (_, changed) => {
    expect(cacheKey(changed)).not.toBe(cacheKey(parts));
  });

  test('is the same for the same parts in another order, and short', () => {
    const { provider, sample, attempt } = parts;
    const { maxTokens, temperature, messages, model } = request;
    const reordered = {
      attempt,
      sample,
      request: { maxTokens, temperature, messages, model },
      provider,
    };
    expect(cacheKey(reordered)).toBe(cacheKey(parts));
    expect(cacheKey(parts)).toMatch(/^v1-[0-9a-f]{64}$/);
  });

  test('comes from JSON that keeps everything', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('lookup', () => {
  const readable = () => true;
  const unreadable = () => false;

  test('serves a response that could be read to everybody', async () => {
    const cache = new ResponseCache(new MemoryStore());
    expect(await cache.lookup('key', 'activity-1', readable)).toBeUndefined();
    await cache.store('key', entry);
    expect(await cache.lookup('key', 'activity-2', readable)).toEqual(entry);
  });

  test('serves one that could not be read only to the activity that paid for it', async () => {
    const cache = new ResponseCache(new MemoryStore());
    await cache.store('key', entry);
    expect(await cache.lookup('key', 'activity-1', unreadable)).toEqual(entry);
    expect(await cache.lookup('key', 'activity-2', unreadable)).toBeUndefined();
  });

  test('serves what an earlier version kept, whatever it thought of it', async () => {
    const store = new MemoryStore();
    await store.set('key', JSON.stringify({ ...entry, readable: false }));
    expect(await new ResponseCache(store).lookup('key', 'activity-2', readable)).toEqual(entry);
  });

  test.each(['', 'null', '{"completion":', '[]', JSON.stringify({ ...entry, completion: {} })])(
    'takes the damaged entry %j for none',
    async (damaged) => {
      const store = new MemoryStore();
      await store.set('key', damaged);
      expect(await new ResponseCache(store).lookup('key', 'activity-1', readable)).toBeUndefined();
    },
  );

  test('lets failures of the store through', async () => {
    const store = new MemoryStore();
    store.get = () => Promise.reject(new Error('the store is away'));
    store.set = () => Promise.reject(new Error('the store is away'));
    const cache = new ResponseCache(store);
    await expect(cache.lookup('key', 'activity-1', readable)).rejects.toThrow('away');
    await expect(cache.store('key', entry)).rejects.toThrow('away');
  });
});
