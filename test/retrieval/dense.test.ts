/** Dense and hybrid search on a real index with made-up vectors. */
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { EmbeddingCache } from '../../llm/embedding-cache.js';
import type { EmbeddingModel } from '../../llm/embedding-model.js';
import { Failure } from '../../methods/failure.js';
import { buildIndex } from '../../retrieval/build-index.js';
import { openCorpora } from '../../retrieval/corpora.js';
import { connect, indexTable, passageSchema, TABLE } from '../../retrieval/lancedb/engine.js';
import { tableRetriever } from '../../retrieval/lancedb/table-retriever.js';
import { fakeEmbeddings } from '../support/fake-embeddings.js';
import { animals, corpusFile, memoryStore, temporaryFolder } from './helpers.js';

const meanings = { physician: 'doctor', medic: 'doctor', automobile: 'car' };
const passages = [
  { id: 'medic', title: 'Medic', text: 'A medic heals.' },
  { id: 'doctor', title: 'Doctor', text: 'A doctor helps.' },
  { id: 'car', title: 'Car', text: 'A car drives.' },
  { id: 'car-again', title: 'Car', text: 'A car drives.' },
  { id: 'river', title: 'River', text: 'A river flows.' },
];

/** The passages indexed as 'test' with one model, and opened with another or the same. */
async function corpus(
  embeddings: EmbeddingModel | undefined,
  queries: EmbeddingModel | undefined = embeddings,
  records: readonly unknown[] = passages,
) {
  const folder = await temporaryFolder();
  const file = await corpusFile(folder, records);
  const manifest = await buildIndex({ file, into: 'test', folder, embeddings });
  const retriever = await openCorpora(folder, queries).open('test');
  return { folder, file, manifest, retriever };
}

const idsOf = (refs: readonly { id: string }[]) => refs.map(({ id }) => id);

async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  const error = await promise.catch((reason: unknown) => reason);
  if (error instanceof Failure) return error;
  throw new Error(`Not a Failure: ${String(error)}`);
}

describe('a corpus with vectors', () => {
  test('is searched by meaning, equal scores in corpus order', async () => {
    const embeddings = fakeEmbeddings({ meanings });
    const { manifest, retriever } = await corpus(embeddings);
    expect(manifest.embedding).toEqual({ provider: 'fake', model: 'fake-words', dimensions: 64 });
    expect(idsOf(await retriever.search('automobile', 2, 'dense'))).toEqual(['car', 'car-again']);
    const [first, second] = await retriever.search('physician', 5, 'dense');
    expect(idsOf([first ?? { id: '' }, second ?? { id: '' }]).sort()).toEqual(['doctor', 'medic']);
    expect(first?.score).toBeGreaterThan(0.5);
    expect(first?.score).toBeLessThanOrEqual(1);
    expect(Object.keys(first ?? {}).sort()).toEqual(['id', 'score', 'title']);
  });

  test('is searched by words as before, and nothing is embedded for it', async () => {
    const embeddings = fakeEmbeddings({ meanings });
    const { retriever } = await corpus(embeddings);
    const before = embeddings.requests.length;
    expect(await retriever.search('automobile', 5)).toEqual([]);
    expect(idsOf(await retriever.search('doctor', 5, 'bm25'))).toEqual(['doctor']);
    expect(embeddings.requests).toHaveLength(before);
    expect((await retriever.get(['car']))[0]?.text).toBe('A car drives.');
  });

  test('hybrid joins both lists, at most k, each passage once', async () => {
    const { retriever } = await corpus(fakeEmbeddings({ meanings }));
    const found = idsOf(await retriever.search('doctor', 3, 'hybrid'));
    expect(found).toHaveLength(3);
    expect(found[0]).toBe('doctor');
    expect(found).toContain('medic');
    const all = idsOf(await retriever.search('doctor', 100, 'hybrid'));
    expect(all.sort()).toEqual(idsOf(passages).sort());
  });

  test.each(['dense', 'hybrid'] as const)('%s finds nothing for a blank query', async (mode) => {
    const { retriever } = await corpus(fakeEmbeddings());
    expect(await retriever.search(' \n', 5, mode)).toEqual([]);
    await expect(retriever.search('car', 0, mode)).rejects.toThrow('must be 1 or more');
  });

  test('passes the signal on to the model', async () => {
    const { retriever } = await corpus(fakeEmbeddings());
    const stopped = AbortSignal.abort(new Error('cancelled'));
    await expect(retriever.search('car', 1, 'dense', stopped)).rejects.toThrow('cancelled');
  });
});

describe('refused with what to do', () => {
  test('a corpus without vectors', async () => {
    const { retriever } = await corpus(undefined, fakeEmbeddings());
    const failure = await failureOf(retriever.search('car', 1, 'hybrid'));
    expect(failure).toMatchObject({ type: 'BadInput', retryable: false });
    expect(failure.message).toBe(
      'Corpus test was indexed without embeddings, so mode "hybrid" cannot search it. ' +
        'Build it with them: durable-rag index corpus.jsonl --into test --embed',
    );
  });

  test('already when it is opened for the mode', async () => {
    const { folder } = await corpus(fakeEmbeddings());
    const others = openCorpora(folder, fakeEmbeddings({ model: 'other' }));
    const failure = await failureOf(others.open('test', 'dense'));
    expect(failure.message).toContain('embeds with other.');
    await others.open('test', 'bm25');
  });

  test.each([
    ['another model', { model: 'other' }, 'other'],
    ['other dimensions', { dimensions: 32 }, '32 dimensions of it'],
  ])('%s', async (_, change, named) => {
    const { retriever } = await corpus(fakeEmbeddings(), fakeEmbeddings(change));
    const failure = await failureOf(retriever.search('car', 1, 'dense'));
    expect(failure.type).toBe('BadInput');
    expect(failure.message).toContain('embedded with fake-words (64 dimensions)');
    expect(failure.message).toContain(`embeds with ${named}.`);
    expect(failure.message).toContain('DURABLE_RAG_EMBEDDING_MODEL');
    expect(failure.message).toContain('durable-rag index corpus.jsonl --into test --embed');
  });
});

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
    const herons = await corpusFile(folder, animals(3, 'heron'), 'herons.jsonl');
    const otters = await corpusFile(folder, animals(300, 'otter'), 'otters.jsonl');
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
    const file = await corpusFile(folder, animals(3));
    const busy = new Failure('RateLimited', 'Too many requests.', { retryAfterMs: 1 });
    const embeddings = failing(2, busy, 3);
    expect(await buildIndex({ file, into: 'test', folder, embeddings })).toMatchObject({
      passages: 3,
    });
    const always = failing(2, busy);
    await expect(buildIndex({ file, into: 'test', folder, embeddings: always })).rejects.toBe(busy);
  });

  test('that is stopped leaves the old index', async () => {
    const folder = await temporaryFolder();
    const file = await corpusFile(folder, animals(500));
    await buildIndex({ file, into: 'test', folder });
    const stop = new AbortController();
    const build = buildIndex({
      file,
      into: 'test',
      folder,
      embeddings: fakeEmbeddings(),
      signal: stop.signal,
      onProgress: ({ passages: count }) => {
        if (count >= 128) stop.abort(new Error('Ctrl-C'));
      },
    });
    await expect(build).rejects.toThrow('Ctrl-C');
    const manifest = await openCorpora(folder).describe('test');
    expect(manifest).not.toHaveProperty('embedding');
  });
});

test('a partitioned index finds the same', async () => {
  const embeddings = fakeEmbeddings();
  const records = animals(3000).map(({ id, text }, position) => ({
    position,
    id,
    title: '',
    body: text,
  }));
  const { vectors } = await embeddings.embed(
    records.map(({ body }) => body),
    new AbortController().signal,
  );
  const connection = await connect(path.join(await temporaryFolder(), 'build'));
  const table = await connection.createEmptyTable(TABLE, await passageSchema(64));
  await table.add(records.map((record, k) => ({ ...record, vector: vectors[k] ?? [] })));
  await indexTable(table, { passages: records.length, vectors: true, partitionedFrom: 1000 });
  expect((await table.listIndices()).flatMap(({ columns }) => columns)).toContain('vector');
  const embedding = { provider: 'fake', model: 'fake-words', dimensions: 64 };
  const options = { name: 'test', source: 'x', passages: records.length, embedding };
  const retriever = tableRetriever(table, options, embeddings);
  const found = await retriever.search('heron number 1234', 1, 'dense');
  expect(found[0]?.score).toBeCloseTo((await exact(vectors, 'heron number 1234')) ?? 0, 5);

  async function exact(all: number[][], query: string) {
    const [asked = []] = (await embeddings.embed([query], new AbortController().signal)).vectors;
    const { cosine } = await import('../../llm/vectors.js');
    return all.map((vector) => cosine(vector, asked)).sort((a, b) => b - a)[0];
  }
});
