/** Runs in Elasticsearch. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as createRelay, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openElasticsearchRuns } from '../../results/elasticsearch-runs.js';
import type { RunStore } from '../../results/run-store.js';
import type { ElasticsearchConnection } from '../../retrieval/elasticsearch/connection.js';
import { answer, manifestFor, question, runName, stream } from '../../testing/run-records.js';
import { runStoreContract } from '../../testing/run-store-contract.js';
import { openRunStore } from '../../workers/open-results.js';
import { holdsTo } from '../support/contract.js';
import { elasticsearchConnection, sharedElasticsearch } from '../support/elasticsearch.js';

async function idsOf(store: RunStore, run: string, from?: number): Promise<string[]> {
  const ids: string[] = [];
  for await (const one of store.questions(run, from)) ids.push(one.question.id);
  return ids;
}

/** Indices that no other test has. */
function prefix(): string {
  return `test-${randomUUID().slice(0, 8)}`;
}

const url = await sharedElasticsearch();
if (url !== undefined) runs(url, await elasticsearchConnection(url));

function runs(url: string, connection: ElasticsearchConnection): void {
  holdsTo(runStoreContract({ open: () => openElasticsearchRuns(connection) }));

  test('keeps answers to questions whose ids are no ids of Elasticsearch', async () => {
    const [store, run] = [await openElasticsearchRuns(connection, prefix()), runName()];
    const long = 'Ü'.repeat(600);
    const ids = ['a/b/../c', '電話', '_all', ' ', `${long}1`, `${long}2`, 'x'.repeat(40_000)];
    await store.begin(run, stream(ids.map((id) => question(id))), () => manifestFor(run));
    await Promise.all(ids.map((id) => store.put(run, answer(id))));
    expect(await idsOf(store, run)).toEqual(ids);
    for (const id of ids) expect(await store.get(run, id)).toEqual(answer(id));
  });

  test('takes fields of any name and type, and a field of an answer that changes its type', async () => {
    const [store, run] = [await openElasticsearchRuns(connection, prefix()), runName()];
    const fields = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`a.${i}`, i]));
    const odd = { ...fields, '': 1, '.': 2, 'a..b': 3, constructor: { prototype: 1 } };
    const chains = [{ text: 'Bell' }, { text: { is: 'an object' } }, { text: [1, 'x'] }, odd];
    for (const [i, chain] of chains.entries()) {
      await store.put(run, answer(`q${i}`, { chain }));
      expect(await store.get(run, `q${i}`)).toEqual(answer(`q${i}`, { chain }));
    }
  });

  test('reads thousands of questions in order, and on from any page', async () => {
    const [store, run] = [await openElasticsearchRuns(connection, prefix()), runName()];
    const ids = Array.from({ length: 1203 }, (_, i) => `q${i}`);
    await store.begin(run, stream(ids.map((id) => question(id))), () => manifestFor(run));
    expect(await idsOf(store, run)).toEqual(ids);
    for (const from of [1, 500, 1000, 1202]) {
      expect(await idsOf(store, run, from)).toEqual(ids.slice(from));
    }
  });

  test('begins anew where a start was killed before the manifest', async () => {
    const [store, run] = [await openElasticsearchRuns(connection, prefix()), runName()];
    async function* killed() {
      for (let i = 0; i < 1200; i++) yield question(`old${i}`);
      throw new Error('killed');
    }
    await expect(store.begin(run, killed(), () => manifestFor(run))).rejects.toThrow('killed');
    expect(await store.manifest(run)).toBeUndefined();
    expect(await idsOf(store, run)).toEqual([]);
    await store.begin(run, stream([question('new')]), () => manifestFor(run));
    expect(await idsOf(store, run)).toEqual(['new']);
  });

  test('two workers may begin a run, and open the store, at the same time', async () => {
    const [place, run] = [prefix(), runName()];
    const stores = await Promise.all([1, 2, 3].map(() => openElasticsearchRuns(connection, place)));
    const questions = ['a', 'b', 'c'].map((id) => question(id));
    await Promise.all(
      stores.map((store, i) =>
        store.begin(run, stream(questions), () => manifestFor(run, { provider: `${i}` })),
      ),
    );
    const [first, ...others] = await Promise.all(stores.map((store) => store.manifest(run)));
    expect(others).toEqual([first, first]);
    for (const store of stores) expect(await idsOf(store, run)).toEqual(['a', 'b', 'c']);
    expect(await stores[1]?.list()).toEqual([first]);
  });

  test('an index that is deleted is missed, and does not come back with other fields', async () => {
    const [place, run] = [prefix(), runName()];
    const store = await openElasticsearchRuns(connection, place);
    await store.begin(run, stream([question('a')]), () => manifestFor(run));
    const index = ['manifests', 'questions', 'answers'].map((part) => `${place}-${part}-1`);
    await connection.request((client) => client.indices.delete({ index }));
    const gone = { type: 'UnknownCorpus', message: expect.stringContaining(place) };
    await expect(store.put(run, answer('a'))).rejects.toMatchObject(gone);
    await expect(store.get(run, 'a')).rejects.toMatchObject(gone);
    await expect(store.manifest(run)).rejects.toMatchObject(gone);
    await expect(store.list()).rejects.toMatchObject({ type: 'UnknownCorpus' });
    const again = await openElasticsearchRuns(connection, place);
    expect(await again.manifest(run)).toBeUndefined();
    await again.put(run, answer('a'));
    expect(await store.get(run, 'a')).toEqual(answer('a'));
  });

  test('a lost connection is a failure to be retried, and nothing written is lost', async () => {
    const relay = await relayTo(url);
    const there = { kind: 'elasticsearch' as const, elasticsearch: { url: relay.url } };
    const [store, run] = [await openRunStore({ results: there }), runName()];
    await store.begin(run, stream([question('a')]), () => manifestFor(run));
    await store.put(run, answer('a'));
    await relay.cut();
    const lost = { type: 'Connection', retryable: true };
    await expect(store.put(run, answer('b'))).rejects.toMatchObject(lost);
    await expect(store.get(run, 'a')).rejects.toMatchObject(lost);
    await expect(openRunStore({ results: there })).rejects.toMatchObject({
      ...lost,
      message: expect.stringContaining('ELASTICSEARCH_URL'),
    });
    await relay.mend();
    await store.put(run, answer('b'));
    expect(await store.get(run, 'a')).toEqual(answer('a'));
    await store.close();
  });
}

/** A way to a server that can be cut. */
async function relayTo(url: string) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const relay = createRelay((inward) => {
    const outward = connect(Number(port), hostname);
    for (const socket of [inward, outward]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    }
    inward.pipe(outward).pipe(inward);
  });
  const listen = (at: number) => new Promise<void>((done) => relay.listen(at, '127.0.0.1', done));
  async function cut() {
    const closed = new Promise<unknown>((done) => relay.close(done));
    for (const socket of sockets) socket.destroy();
    await closed;
  }
  await listen(0);
  onTestFinished(cut);
  const own = (relay.address() as AddressInfo).port;
  return { url: `http://127.0.0.1:${own}`, cut, mend: () => listen(own) };
}

describe('what the server says', () => {
  /** A store on a server that answers bulk and multi-get requests with these. */
  async function answering(answers: {
    bulk?: unknown;
    /** Of the answer to a bulk request. */
    status?: number;
    mget?: unknown;
  }): Promise<RunStore> {
    const server = createServer((request: IncomingMessage, response: ServerResponse) => {
      request.resume();
      const bulk = request.url?.includes('_bulk');
      response.writeHead(bulk ? (answers.status ?? 200) : 200, {
        'content-type': 'application/vnd.elasticsearch+json;compatible-with=9',
        'x-elastic-product': 'Elasticsearch',
      });
      const missing = { docs: [{ _id: 'x', found: false }] };
      response.end(JSON.stringify(bulk ? answers.bulk : (answers.mget ?? missing)));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const elasticsearch = { url: `http://127.0.0.1:${port}` };
    const store = await openRunStore({ results: { kind: 'elasticsearch', elasticsearch } });
    onTestFinished(() => store.close());
    return store;
  }

  const item = (status: number, type: string) => ({
    ...{ errors: true, took: 1 },
    items: [
      { index: { status: 200 } },
      { index: { status, error: { type, reason: 'So it is.' } } },
    ],
  });

  test.each([
    [429, 'es_rejected_execution_exception', 'Overloaded', true],
    [503, 'unavailable_shards_exception', 'Overloaded', true],
    [400, 'document_parsing_exception', 'BadRequest', false],
    [404, 'index_not_found_exception', 'UnknownCorpus', false],
  ])(
    'of one question: %i %s, and no manifest is written',
    async (status, said, type, retryable) => {
      const store = await answering({ bulk: item(status, said) });
      const questions = stream([question('a'), question('b')]);
      const begun = store.begin('run', questions, () => expect.fail('The manifest was asked for.'));
      await expect(begun).rejects.toMatchObject({
        ...{ type, retryable },
        message: expect.stringContaining('It said: So it is.'),
      });
    },
  );

  test('of a shard that does not answer', async () => {
    const error = { type: 'no_shard_available_action_exception', reason: 'None.' };
    const store = await answering({ mget: { docs: [{ _id: 'x', error }] } });
    const failure = { type: 'Overloaded', retryable: true };
    await expect(store.get('run', 'a')).rejects.toMatchObject(failure);
  });

  test('of something that another program put there', async () => {
    const docs = [{ _id: 'x', found: true, _source: { content: '{"ha' } }];
    const store = await answering({ mget: { docs } });
    const failure = { type: 'BadInput', message: expect.stringContaining('the run x is damaged') };
    await expect(store.manifest('x')).rejects.toMatchObject(failure);
  });

  const noRoom = (doing: string) =>
    `rejected execution of ${doing} operation [coordinating_and_primary_bytes=20, ${doing}_operation_bytes=80, max_${doing}_bytes=53]`;

  test('of an answer that its memory will never have room for', async () => {
    const error = { type: 'es_rejected_execution_exception', reason: noRoom('primary') };
    const items = [{ index: { status: 429, error } }];
    const store = await answering({ bulk: { errors: true, took: 1, items } });
    await expect(store.put('run', answer('a'))).rejects.toMatchObject({
      type: 'BadInput',
      message: expect.stringContaining('too large for the memory of Elasticsearch'),
    });
    const whole = { error: { ...error, reason: noRoom('coordinating') } };
    const refusing = await answering({ status: 429, bulk: whole });
    await expect(refusing.put('run', answer('a'))).rejects.toMatchObject({ type: 'BadInput' });
    const full = { ...error, reason: noRoom('coordinating').replace('=80', '=40') };
    const busy = await answering({ status: 429, bulk: { error: full } });
    const passing = { type: 'Overloaded', retryable: true };
    await expect(busy.put('run', answer('a'))).rejects.toMatchObject(passing);
  });

  test('is not asked of an answer beyond what a request may have', async () => {
    const store = await answering({});
    const chain = { text: 'x'.repeat(100_000_000) };
    await expect(store.put('run', answer('a', { chain }))).rejects.toMatchObject({
      type: 'BadInput',
      message: expect.stringMatching(/has 101 MB, and may have 100: {"run":"run","question":"a"}/),
    });
  });
});
