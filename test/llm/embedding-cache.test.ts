/** What is kept of embeddings, and what is asked for again. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EmbeddingCache } from '../../llm/embedding-cache.js';
import { RerankCache } from '../../llm/rerank-cache.js';
import { cosine, decodeVector, encodeVector, toFloat32 } from '../../llm/vectors.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { never } from '../support/completion.js';
import { fakeEmbeddings } from '../support/fake-embeddings.js';

describe('the cache', () => {
  test('asks only for what no process has asked, each text once, in one request', async () => {
    const store = new MemoryStore();
    const fresh = await new EmbeddingCache(fakeEmbeddings(), store).embed(['b', 'd'], never());
    const model = fakeEmbeddings();
    const cache = new EmbeddingCache(model, store);
    const found = await cache.embed(['a', 'b', 'c', 'a', 'd'], never());
    expect(model.requests).toEqual([['a', 'c']]);
    expect(found).toMatchObject({ asked: 2, costUsd: 0.002, usage: { promptTokens: 2 } });
    const [a, b, , again, d] = found.vectors;
    expect(again).toEqual(a);
    expect([b, d]).toEqual(fresh.vectors);
    const kept = await cache.embed(['a'], never());
    expect(kept).toMatchObject({ asked: 0, costUsd: 0, usage: { promptTokens: 0 } });
  });

  test.each([
    ['https://vectors.example/v1', ['probe', 'kept']],
    ['local', ['kept']],
    ['http://127.0.0.1:8080/v1', ['kept']],
  ])('makes sure that something can be kept before it pays %s', async (provider, written) => {
    const keys: string[] = [];
    class Watched extends MemoryStore {
      override set(key: string, value: string) {
        keys.push(key === 'probe' ? key : 'kept');
        return super.set(key, value);
      }
    }
    const model = { ...fakeEmbeddings(), provider };
    const embedded = await new EmbeddingCache(model, new Watched()).embed(['a'], never());
    expect(embedded.asked).toBe(1);
    expect(keys).toEqual(written);

    keys.length = 0;
    const score = async () => ({ scores: [1], usage: embedded.usage, costUsd: 0 });
    const reranker = new RerankCache({ provider, model: 'm', score }, new Watched());
    expect(await reranker.score('a', ['b'], never())).toMatchObject({ scores: [1] });
    expect(keys).toEqual(written);
  });

  test.each([
    ['model', { model: 'other' }],
    ['dimensions', { dimensions: 8 }],
  ])('another %s shares nothing', async (_, change) => {
    const store = new MemoryStore();
    await new EmbeddingCache(fakeEmbeddings(), store).embed(['text'], never());
    const other = new EmbeddingCache(fakeEmbeddings(change), store);
    expect(await other.embed(['text'], never())).toMatchObject({ asked: 1 });
  });

  test('gives vectors by key, and says what is wrong when one is gone', async () => {
    const cache = new EmbeddingCache(fakeEmbeddings(), new MemoryStore());
    const { vectors } = await cache.embed(['a', 'b'], never());
    expect(await cache.get(['b', 'a'].map((text) => cache.keyOf(text)))).toEqual(
      [...vectors].reverse(),
    );
    expect(cache.keyOf('a')).toMatch(/^e1-[0-9a-f]{32}$/);
    await expect(cache.get([cache.keyOf('c')])).rejects.toThrow('DURABLE_RAG_STORE');
  });
});

describe('vectors', () => {
  const float = fc.float({ noNaN: true, noDefaultInfinity: true });
  const vector = fc.array(float, { minLength: 1, maxLength: 20 });

  test('are the same after they were kept', () => {
    fc.assert(
      fc.property(vector, (numbers) => {
        expect(decodeVector(encodeVector(numbers))).toEqual(toFloat32(numbers));
      }),
    );
  });

  test.each(['', 'AAA=', '?'])('%j is none', (text) => {
    expect(decodeVector(text)).toBeUndefined();
  });

  test.each([
    [[1, 1], [-1, -1], -1],
    [[0, 0], [1, 1], 0],
    [[3, 4], [4, 3], 0.96],
  ])('the cosine of %j and %j', (a, b, expected) => {
    expect(cosine(a, b)).toBeCloseTo(expected, 12);
  });
});
