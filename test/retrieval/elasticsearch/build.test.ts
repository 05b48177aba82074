/** Building in Elasticsearch: what is served meanwhile and after a failure, and what is deleted. */
import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import type { EmbeddingModel } from '../../../llm/embedding-model.js';
import type { IndexBuildProgress } from '../../../retrieval/build-index.js';
import {
  buildElasticsearchIndex,
  type ElasticsearchBuild,
} from '../../../retrieval/elasticsearch/build.js';
import type { ElasticsearchConnection } from '../../../retrieval/elasticsearch/connection.js';
import { beginDraft } from '../../../retrieval/elasticsearch/drafts.js';
import { elasticsearchCorpora } from '../../../retrieval/elasticsearch/elasticsearch-corpora.js';
import { findIndices, isServed, writeDraft } from '../../../retrieval/elasticsearch/indices.js';
import { pinnedCorpus } from '../../../retrieval/manifest.js';
import {
  corpusName,
  elasticsearchConnection,
  sharedElasticsearch,
} from '../../support/elasticsearch.js';
import { fakeEmbeddings } from '../../support/fake-embeddings.js';
import { animals, corpusFile, idsOf } from '../helpers.js';

const url = await sharedElasticsearch();
if (url !== undefined) builds(await elasticsearchConnection(url));

function builds(connection: ElasticsearchConnection): void {
  /** More than one request holds. */
  const otters = animals(2_500, 'otter');

  async function build(
    into: string,
    records: readonly unknown[],
    { over = connection, ...more }: Partial<ElasticsearchBuild> & { over?: typeof connection } = {},
  ) {
    return buildElasticsearchIndex(over, { file: await corpusFile(records), into, ...more });
  }

  /** A corpus of herons in place, to see that it survives. */
  async function heronsInPlace() {
    const name = corpusName();
    return { name, manifest: await build(name, animals(20, 'heron')) };
  }

  async function found(name: string, query: string): Promise<string[]> {
    const retriever = await elasticsearchCorpora(connection).open(name);
    return idsOf(await retriever.search(query, 1));
  }

  /** The builds of a name: those that are served, and those under construction. */
  async function buildsOf(name: string) {
    const indices = await findIndices(connection, `${name}-*`);
    const records = indices.flatMap(({ record }) => record ?? []);
    return {
      served: indices.filter(isServed).map(({ record }) => record.build),
      drafts: records.flatMap(({ state, build }) => (state === 'building' ? [build] : [])),
    };
  }

  test('the record tells what was indexed, and the alias points to it', async () => {
    const { name, manifest } = await heronsInPlace();
    expect(manifest).toMatchObject({
      name,
      engine: 'elasticsearch',
      passages: 20,
      source: 'corpus.jsonl',
      tokenizer: { analyzer: 'english', k1: 0.9, b: 0.4 },
    });
    const [index] = await findIndices(connection, name);
    expect(index).toMatchObject({ index: `${name}-${manifest.build}`, aliases: [name] });
  });

  test('k1, b and the analyzer are those asked for', async () => {
    const into = corpusName();
    await build(into, animals(3), { analysis: { analyzer: 'standard', k1: 1.2, b: 0.75 } });
    const settings = await connection.request((client) => client.indices.get({ index: into }));
    const [index] = Object.values(settings);
    expect(index?.settings?.index?.similarity).toMatchObject({
      passages: { type: 'BM25', k1: '1.2', b: '0.75' },
    });
    expect(await found(into, 'the')).toEqual(['heron-0']);
    expect(await found(into, 'herons')).toEqual([]);
  });

  test.each<[string, object, string]>([
    ['a k1 below 0', { analysis: { k1: -1 } }, 'k1 is -1: it must be 0 or more.'],
    ['a b above 1', { analysis: { b: 2 } }, 'b is 2: it must be from 0 to 1.'],
    ['an unknown analyzer', { analysis: { analyzer: 'klingon' } }, 'analyzer [klingon] has not'],
    ['an id that is too long', { id: 'x'.repeat(513) }, 'line 1 has an id of 513 by'],
  ])('%s is refused', async (_, { id = 'x', ...options }: { id?: string }, message) => {
    await expect(build(corpusName(), [{ id, text: 'y' }], options)).rejects.toMatchObject({
      type: 'BadInput',
      message: expect.stringContaining(message),
    });
  });

  test('a rebuild leaves what it replaces to those who began with it, and removes the rest', async () => {
    const { name, manifest } = await heronsInPlace();
    const herons = pinnedCorpus(name, manifest);
    const corpora = elasticsearchCorpora(connection);
    const pinned = await corpora.open(herons);
    await build(name, animals(20, 'otter'));
    const later = await elasticsearchCorpora(connection).open(herons);
    for (const { search, get } of [pinned, later]) {
      expect((await search('heron otter', 1))[0]?.id).toBe('heron-0');
      expect(await get(['heron-1'])).toMatchObject([{ id: 'heron-1' }]);
    }
    const again = await build(name, animals(20, 'otter'));
    expect(await buildsOf(name)).toEqual({ served: [again.build], drafts: [] });
    await expect(corpora.open(herons)).rejects.toMatchObject({
      type: 'UnknownCorpus',
      message: expect.stringContaining('with which this began no longer exists'),
    });
    expect(await found(name, 'heron otter')).toEqual(['otter-0']);
  });

  test('a document that the server refuses is told with its line', async () => {
    const { name } = await heronsInPlace();
    const inner = fakeEmbeddings();
    const nothing: EmbeddingModel = {
      ...inner,
      async embed(texts, signal) {
        const { vectors, ...rest } = await inner.embed(texts, signal);
        const zero = (text: string) => text.includes('number 123 ');
        return {
          ...rest,
          vectors: vectors.map((v, k) => (zero(texts[k] ?? '') ? v.map(() => 0) : v)),
        };
      },
    };
    await expect(build(name, animals(300), { embeddings: nothing })).rejects.toMatchObject({
      type: 'BadInput',
      message: expect.stringMatching(
        /^corpus\.jsonl line 124 \(id heron-123\) was refused by Elasticsearch: .*zero magnitude/,
      ),
    });
    expect(await found(name, 'heron')).toEqual(['heron-0']);
  });

  test('a build that is interrupted is deleted, and the index in place is served', async () => {
    const { name, manifest } = await heronsInPlace();
    const controller = new AbortController();
    const inner = fakeEmbeddings();
    const embeddings: EmbeddingModel = {
      ...inner,
      embed(texts, signal) {
        // A first request of documents is under way then: 31 of vectors fill it.
        if (inner.requests.length === 34) controller.abort(new Error('stop it'));
        return inner.embed(texts, signal);
      },
    };
    const { signal } = controller;
    await expect(build(name, otters, { embeddings, signal })).rejects.toThrow('stop it');
    expect(await buildsOf(name)).toEqual({ served: [manifest.build], drafts: [] });
    expect(await found(name, 'heron otter')).toEqual(['heron-0']);
    await expect(build(name, [...otters, 'bad'])).rejects.toThrow('line 2501');
    expect(await buildsOf(name)).toEqual({ served: [manifest.build], drafts: [] });
  });

  test('what a killed builder left is deleted, what a live one works at is not', async () => {
    const name = corpusName();
    const { signal } = new AbortController();
    const tokenizer = { analyzer: 'english', k1: 0.9, b: 0.4 };
    const draft = await beginDraft(connection, { name, tokenizer }, signal);
    const again = () => build(name, otters);
    const alive = { pid: process.ppid, host: hostname() };
    await writeDraft(connection, { ...draft, builder: alive });
    await expect(again()).rejects.toThrow(`is being built by process ${process.ppid}`);
    await writeDraft(connection, { ...draft, builder: { pid: 1, host: 'elsewhere' } });
    await expect(again()).rejects.toThrow('is being built by process 1 on elsewhere');

    const { pid: dead } = spawnSync(process.execPath, ['--version']);
    await writeDraft(connection, { ...draft, builder: { pid: dead, host: hostname() } });
    const whole = await again();
    expect(whole.passages).toBe(2_500);
    expect(await buildsOf(name)).toEqual({ served: [whole.build], drafts: [] });
    const retriever = await elasticsearchCorpora(connection).open(name);
    expect(await retriever.get(idsOf(otters))).toMatchObject(otters);
  });

  test('a document that gets lost keeps the alias where it is', async () => {
    const { name, manifest } = await heronsInPlace();
    let losing: Promise<unknown> = Promise.resolve();
    const onProgress = ({ stage }: IndexBuildProgress) => stage === 'indexing' && lose();
    const lose = () => {
      losing = buildsOf(name).then(({ drafts: [build] }) =>
        connection.request((client) => client.delete({ index: `${name}-${build}`, id: 'otter-7' })),
      );
    };
    const over: ElasticsearchConnection = {
      ...connection,
      async request(call, signal) {
        await losing;
        return connection.request(call, signal);
      },
    };
    await expect(build(name, otters, { over, onProgress })).rejects.toThrow(
      'Elasticsearch has 2499 of the 2500 passages',
    );
    expect(await buildsOf(name)).toEqual({ served: [manifest.build], drafts: [] });
    expect(await found(name, 'heron otter')).toEqual(['heron-0']);
  });

  test('an index of somebody else is not replaced', async () => {
    const into = corpusName();
    await connection.request((client) => client.indices.create({ index: into }));
    await expect(build(into, animals(3))).rejects.toMatchObject({
      type: 'BadInput',
      message: expect.stringContaining(
        `has an index or alias ${into} that durable-rag did not make`,
      ),
    });
    await expect(elasticsearchCorpora(connection).open(into)).rejects.toMatchObject({
      type: 'UnknownCorpus',
    });
  });
}
