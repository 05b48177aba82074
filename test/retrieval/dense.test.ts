/** Vectors in LanceDB beyond the contract of every engine: builds that are broken off, partitions. */
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../core/failure.js';
import { EmbeddingCache } from '../../llm/embedding-cache.js';
import type { EmbeddingModel } from '../../llm/embedding-model.js';
import { cosine } from '../../llm/vectors.js';
import { buildIndex } from '../../retrieval/build-index.js';
import {
  connectLanceDb,
  indexTable,
  passageSchema,
  TABLE_NAME,
} from '../../retrieval/lancedb/engine.js';
import { openCorpora, tableRetriever } from '../../retrieval/lancedb/lance-corpora.js';
import { never } from '../support/completion.js';
import { fakeEmbeddings } from '../support/fake-embeddings.js';
import { temporaryFolder } from '../support/folder.js';
import { animals, corpusFile, idsOf, memoryStore } from './helpers.js';

describe('building with vectors', () => {
  /** Fails at the n-th request, as often as told. */
  function failing(at: number, failure: Failure, times = Number.POSITIVE_INFINITY): EmbeddingModel {
    const inner = fakeEmbeddings();
    let asked = 0;
    let left = times;
    return {
      ...inner,
      async embed(texts, signal) {
        if (texts.length > 0 && ++asked >= at && left-- > 0) throw failure;
        return inner.embed(texts, signal);
      },
    };
  }

  test('that fails leaves the old index, and the next try pays for the rest only', async () => {
    const folder = await temporaryFolder();
    const herons = await corpusFile(animals(3, 'heron'));
    const otters = await corpusFile(animals(300, 'otter'));
    const store = memoryStore();
    await buildIndex({ file: herons, into: 'test', folder });
    const quota = new Failure('QuotaExhausted', 'No credit.');
    const poor = new EmbeddingCache(failing(4, quota), store);
    await expect(buildIndex({ file: otters, into: 'test', folder, embeddings: poor })).rejects.toBe(
      quota,
    );
    const old = await openCorpora(folder).open('test');
    expect(idsOf(await old.search('heron', 1))).toEqual(['heron-0']);

    const rich = fakeEmbeddings();
    const embeddings = new EmbeddingCache(rich, store);
    await buildIndex({ file: otters, into: 'test', folder, embeddings });
    // The probe and two batches of 64 were kept.
    expect(rich.requests.flat()).toHaveLength(300 - 2 * 64);
    const retriever = await openCorpora(folder, embeddings).open('test');
    expect(idsOf(await retriever.search('otter number 42', 1, 'dense'))).toEqual(['otter-42']);
  });

  test('asks again what is refused for the moment', async () => {
    const folder = await temporaryFolder();
    const file = await corpusFile(animals(3));
    const busy = new Failure('RateLimited', 'Too many requests.', { retryAfterMs: 1 });
    const embeddings = failing(2, busy, 3);
    expect(await buildIndex({ file, into: 'test', folder, embeddings })).toMatchObject({
      passages: 3,
    });
    const always = failing(2, busy);
    await expect(buildIndex({ file, into: 'test', folder, embeddings: always })).rejects.toBe(busy);
  });
});

test('a partitioned index finds the same', async () => {
  const embeddings = fakeEmbeddings();
  const records = animals(1500).map(({ id, text }, position) => ({
    position,
    id,
    title: '',
    body: text,
    length: text.split(' ').length,
  }));
  const query = 'heron number 1234';
  const {
    vectors: [asked = [], ...vectors],
  } = await embeddings.embed([query, ...records.map(({ body }) => body)], never());
  const connection = await connectLanceDb(path.join(await temporaryFolder(), 'build'));
  const table = await connection.createEmptyTable(TABLE_NAME, await passageSchema(64));
  await table.add(records.map((record, k) => ({ ...record, vector: vectors[k] ?? [] })));
  await indexTable(table, { passages: records.length, vectors: true, partitionedFrom: 1000 });
  expect((await table.listIndices()).flatMap(({ columns }) => columns)).toContain('vector');
  const embedding = { provider: 'fake', model: 'fake-words', dimensions: 64 };
  const statistics = { texts: records.length, averageLength: 3, textsWith: () => 1 };
  const options = { name: 'test', source: 'x', passages: records.length, embedding, statistics };
  const retriever = tableRetriever(table, options, embeddings);
  const found = await retriever.search(query, 1, 'dense');
  const exact = Math.max(...vectors.map((vector) => cosine(vector, asked)));
  expect(found[0]?.score).toBeCloseTo(exact, 5);
});
