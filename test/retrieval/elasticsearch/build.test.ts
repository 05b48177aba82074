/** Building in Elasticsearch: what is served meanwhile and after a failure, and what is gone on with. */
import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import type { EmbeddingModel } from '../../../llm/embedding-model.js';
import type { BuildProgress } from '../../../retrieval/build-index.js';
import { buildElasticsearchIndex } from '../../../retrieval/elasticsearch/build.js';
import type { ElasticsearchConnection } from '../../../retrieval/elasticsearch/connection.js';
import { elasticsearchCorpora } from '../../../retrieval/elasticsearch/corpora.js';
import { findIndices, isServed, writeDraft } from '../../../retrieval/elasticsearch/indices.js';
import { pinnedCorpus } from '../../../retrieval/manifest.js';
import {
  corpusName,
  elasticsearchConnection,
  sharedElasticsearch,
} from '../../support/elasticsearch.js';
import { fakeEmbeddings } from '../../support/fake-embeddings.js';
import { temporaryFolder } from '../../support/folder.js';
import { animals, corpusFile, idsOf } from '../helpers.js';

const url = await sharedElasticsearch();
if (url !== undefined) builds(await elasticsearchConnection(url));

function builds(connection: ElasticsearchConnection): void {
  const otters = animals(5_000, 'otter');

  /** A corpus of herons in place, to see that it survives. */
  async function heronsInPlace() {
    const name = corpusName();
    const folder = await temporaryFolder();
    const file = await corpusFile(folder, animals(20, 'heron'), 'herons.jsonl');
    const manifest = await buildElasticsearchIndex(connection, { file, into: name });
    return { name, folder, manifest };
  }

  async function found(name: string, query: string): Promise<string[]> {
    const retriever = await elasticsearchCorpora(connection).open(name);
    return idsOf(await retriever.search(query, 1));
  }

  /** The builds of a name: those that are served, and those that wait to be gone on with. */
  async function buildsOf(name: string) {
    const indices = await findIndices(connection, `${name}-*`);
    const records = indices.flatMap(({ record }) => record ?? []);
    return {
      served: indices.filter(isServed).map(({ record }) => record.build),
      drafts: records.flatMap(({ state, build }) => (state === 'building' ? [build] : [])),
    };
  }

  /** Embeds until it has been asked so often, then aborts the build. */
  function abortingAt(requests: number, controller: AbortController): EmbeddingModel {
    const inner = fakeEmbeddings();
    let asked = 0;
    return {
      ...inner,
      embed(texts, signal) {
        if (++asked === requests) controller.abort(new Error('stop it'));
        return inner.embed(texts, signal);
      },
    };
  }

  test('the record tells what was indexed, and the alias points to it', async () => {
    const { name, manifest } = await heronsInPlace();
    expect(manifest).toMatchObject({
      name,
      engine: 'elasticsearch',
      passages: 20,
      source: 'herons.jsonl',
      tokenizer: { analyzer: 'english', k1: 0.9, b: 0.4 },
    });
    const [index] = await findIndices(connection, name);
    expect(index).toMatchObject({ index: `${name}-${manifest.build}`, aliases: [name] });
  });

  test('k1, b and the analyzer are those asked for', async () => {
    const file = await corpusFile(await temporaryFolder(), animals(3));
    const into = corpusName();
    const analysis = { analyzer: 'standard', k1: 1.2, b: 0.75 };
    await buildElasticsearchIndex(connection, { file, into, analysis });
    const settings = await connection.request((client) => client.indices.get({ index: into }));
    const [index] = Object.values(settings);
    expect(index?.settings?.index?.similarity).toMatchObject({
      passages: { type: 'BM25', k1: '1.2', b: '0.75' },
    });
    expect(await found(into, 'the')).toEqual(['heron-0']);
    expect(await found(into, 'herons')).toEqual([]);
  });

  test.each([
    [{ k1: -1 }, 'k1 is -1: it must be 0 or more.'],
    [{ b: 2 }, 'b is 2: it must be from 0 to 1.'],
    [{ analyzer: 'klingon' }, 'analyzer [klingon] has not been configured'],
  ])('%j is refused', async (analysis, message) => {
    const file = await corpusFile(await temporaryFolder(), animals(3));
    const build = buildElasticsearchIndex(connection, { file, into: corpusName(), analysis });
    await expect(build).rejects.toMatchObject({
      type: 'BadInput',
      message: expect.stringContaining(message),
    });
  });

  test('a rebuild leaves what it replaces to those who began with it, and removes the rest', async () => {
    const { name, folder, manifest } = await heronsInPlace();
    const herons = pinnedCorpus(name, manifest);
    const corpora = elasticsearchCorpora(connection);
    const pinned = await corpora.open(herons);
    const file = await corpusFile(folder, otters);
    await buildElasticsearchIndex(connection, { file, into: name });
    const later = await elasticsearchCorpora(connection).open(herons);
    for (const { search, get } of [pinned, later]) {
      expect((await search('heron otter', 1))[0]?.id).toBe('heron-0');
      expect(await get(['heron-1'])).toMatchObject([{ id: 'heron-1' }]);
    }
    const { build } = await buildElasticsearchIndex(connection, { file, into: name });
    expect(await buildsOf(name)).toEqual({ served: [build], drafts: [] });
    await expect(corpora.open(herons)).rejects.toMatchObject({
      type: 'UnknownCorpus',
      message: expect.stringContaining('held when this began is not here'),
    });
    expect(await found(name, 'heron otter')).toEqual(['otter-0']);
  });

  test('an id that is too long is told with its line', async () => {
    const file = await corpusFile(await temporaryFolder(), [{ id: 'x'.repeat(513), text: 'y' }]);
    await expect(
      buildElasticsearchIndex(connection, { file, into: corpusName() }),
    ).rejects.toMatchObject({
      type: 'BadInput',
      message: expect.stringContaining('line 1 has an id of 513 by'),
    });
  });

  test('a document that the server refuses is told with its line', async () => {
    const { name, folder } = await heronsInPlace();
    const file = await corpusFile(folder, animals(300));
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
    await expect(
      buildElasticsearchIndex(connection, { file, into: name, embeddings: nothing }),
    ).rejects.toMatchObject({
      type: 'BadInput',
      message: expect.stringMatching(
        /^corpus\.jsonl line 124 \(id heron-123\) was refused by Elasticsearch: .*zero magnitude/,
      ),
    });
    expect(await found(name, 'heron')).toEqual(['heron-0']);
  });

  test('an interrupted build is gone on with, and the alias moves when all is there', async () => {
    const { name, folder, manifest } = await heronsInPlace();
    const file = await corpusFile(folder, otters);
    const controller = new AbortController();
    const embeddings = abortingAt(72, controller);
    await expect(
      buildElasticsearchIndex(connection, {
        ...{ file, into: name, embeddings },
        signal: controller.signal,
      }),
    ).rejects.toThrow('stop it');
    const { served, drafts } = await buildsOf(name);
    expect(served).toEqual([manifest.build]);
    expect(await found(name, 'heron otter')).toEqual(['heron-0']);

    const rest = fakeEmbeddings();
    let resumed = 0;
    const { build, passages } = await buildElasticsearchIndex(connection, {
      ...{ file, into: name, embeddings: rest },
      onResume: (count) => {
        resumed = count;
      },
    });
    expect([build]).toEqual(drafts);
    expect(passages).toBe(5_000);
    expect(resumed).toBeGreaterThan(0);
    // The probe, and what was not there yet.
    expect(rest.requests.flat()).toHaveLength(1 + 5_000 - resumed);
    expect(await buildsOf(name)).toEqual({ served: drafts, drafts: [] });
    const retriever = await elasticsearchCorpora(connection).open(name);
    expect(await retriever.get(idsOf(otters))).toMatchObject(otters);
  });

  test('what a killed builder left is gone on with, what a live one works at is not', async () => {
    const name = corpusName();
    const folder = await temporaryFolder();
    const bad = await corpusFile(folder, [...otters, 'bad']);
    const good = await corpusFile(folder, otters, 'good.jsonl');
    await expect(buildElasticsearchIndex(connection, { file: bad, into: name })).rejects.toThrow();
    const [left] = await findIndices(connection, `${name}-*`);
    if (left?.record?.state !== 'building') throw new Error('There is no draft.');
    const draft = { ...left.record, touchedAt: Date.now() };
    expect(draft.passages).toBeGreaterThan(0);

    const alive = { pid: process.ppid, host: hostname() };
    await writeDraft(connection, { ...draft, builder: alive });
    const build = () => buildElasticsearchIndex(connection, { file: good, into: name });
    await expect(build()).rejects.toThrow(`is being built by process ${process.ppid}`);
    await writeDraft(connection, { ...draft, builder: { pid: 1, host: 'elsewhere' } });
    await expect(build()).rejects.toThrow('is being built by process 1 on elsewhere');

    const { pid: dead } = spawnSync(process.execPath, ['--version']);
    await writeDraft(connection, { ...draft, builder: { pid: dead, host: hostname() } });
    expect(await build()).toMatchObject({ build: draft.build, passages: 5_000 });
  });

  test.each<[string, (name: string) => { into: string; records: unknown[]; analysis?: object }]>([
    ['another file', (into) => ({ into, records: [{ id: 'new', text: 'new' }, ...otters] })],
    ['a shorter file', (into) => ({ into, records: otters.slice(0, 100) })],
    ['another setting', (into) => ({ into, records: otters, analysis: { k1: 2 } })],
  ])('%s is indexed from the beginning', async (_, change) => {
    const name = corpusName();
    const folder = await temporaryFolder();
    const bad = await corpusFile(folder, [...otters, 'bad']);
    await expect(buildElasticsearchIndex(connection, { file: bad, into: name })).rejects.toThrow(
      'line 5001',
    );
    const { records, ...options } = change(name);
    const file = await corpusFile(folder, records);
    const { build, passages } = await buildElasticsearchIndex(connection, { file, ...options });
    expect(passages).toBe(records.length);
    expect(await buildsOf(name)).toEqual({ served: [build], drafts: [] });
  });

  test('a document that gets lost keeps the alias where it is', async () => {
    const { name, folder, manifest } = await heronsInPlace();
    const file = await corpusFile(folder, otters);
    const onProgress = ({ stage }: BuildProgress) => stage === 'indexing' && lose();
    let losing: Promise<unknown> = Promise.resolve();
    const lose = () => {
      losing = buildsOf(name).then(({ drafts: [build] }) =>
        connection.request((client) => client.delete({ index: `${name}-${build}`, id: 'otter-7' })),
      );
    };
    const slow: ElasticsearchConnection = {
      ...connection,
      async request(call, signal) {
        await losing;
        return connection.request(call, signal);
      },
    };
    await expect(buildElasticsearchIndex(slow, { file, into: name, onProgress })).rejects.toThrow(
      'Elasticsearch holds 4999 of the 5000 passages',
    );
    expect(await buildsOf(name)).toEqual({ served: [manifest.build], drafts: [] });
    expect(await found(name, 'heron otter')).toEqual(['heron-0']);
  });

  test('an index of somebody else is not replaced', async () => {
    const into = corpusName();
    await connection.request((client) => client.indices.create({ index: into }));
    const file = await corpusFile(await temporaryFolder(), animals(3));
    await expect(buildElasticsearchIndex(connection, { file, into })).rejects.toMatchObject({
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
