/** The steps that embed, on a real server: dense retrieval, and reranking by similarity. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection } from '@temporalio/worker';
import { beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { EmbeddingCache } from '../../llm/embedding-cache.js';
import type { EmbeddingModel } from '../../llm/embedding-model.js';
import { Failure } from '../../methods/failure.js';
import type { MethodResult } from '../../methods/result.js';
import type { PassageRef } from '../../methods/vocabulary.js';
import { buildIndex } from '../../retrieval/build-index.js';
import { openCorpora } from '../../retrieval/corpora.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { startWorkers } from '../../workers/start-workers.js';
import { fakeEmbeddings } from '../support/fake-embeddings.js';
import { testPorts } from '../support/harness.js';
import { scriptedModel } from '../support/scripted-model.js';

interface Chain {
  retrieved: PassageRef[];
  ranked: PassageRef[];
  keys: string[];
}

let code: string;
beforeAll(async () => {
  const workflowsPath = fileURLToPath(
    new URL('../support/similarity-workflow.ts', import.meta.url),
  );
  ({ code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') }));
});

const meanings = { physician: 'doctor', automobile: 'car' };
const records = [
  { id: 'd', title: 'Doctor', text: 'A doctor helps.' },
  { id: 'c', title: 'Car', text: 'A car drives.' },
  { id: 'r', title: 'River', text: 'A river flows.' },
];

/** A worker over the records, embedded as they were indexed. */
async function setUp(model: EmbeddingModel, embedded = true) {
  const folder = await mkdtemp(join(tmpdir(), 'durable-rag-embeddings-'));
  const file = join(folder, 'corpus.jsonl');
  await writeFile(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const embeddings = new EmbeddingCache(model, new MemoryStore());
  await buildIndex({ file, into: 'sample', folder, embeddings: embedded ? embeddings : undefined });

  const address = inject('temporalAddress');
  const taskQueue = `embeddings-${randomUUID()}`;
  const [connection, native] = await Promise.all([
    Connection.connect({ address }),
    NativeConnection.connect({ address }),
  ]);
  const workers = await startWorkers({
    connection: native,
    namespace: 'default',
    taskQueue,
    ports: testPorts(scriptedModel([]), { embeddings, corpora: openCorpora(folder, embeddings) }),
    concurrency: 5,
    workflowBundle: { code },
  });
  onTestFinished(async () => {
    await workers.stop();
    await native.close();
    await connection.close();
    await rm(folder, { recursive: true, force: true });
  });
  const client = new Client({ connection });
  const start = (input: object) =>
    client.workflow.start<(input: object) => Promise<MethodResult<Chain>>>('similarity', {
      args: [{ options: { text: 'an automobile', count: 2 }, ...input }],
      taskQueue,
      workflowId: randomUUID(),
    });
  return { embeddings, start, taskQueue };
}

it('searches by vectors, one request for the query, and accounts for it', async () => {
  const model = fakeEmbeddings({ meanings });
  const { start, taskQueue } = await setUp(model);
  const indexed = model.requests.length;
  const handle = await start({ question: 'physician', retrieval: { mode: 'dense' } });
  const result = await handle.result();

  expect(result.chain?.retrieved[0]).toMatchObject({ id: 'd', title: 'Doctor' });
  expect(result.retrievals).toBe(1);
  expect(model.requests.slice(indexed)).toEqual([['physician'], ['an automobile']]);
  // The text to rank by was embedded with the passages; asking for it again costs nothing.
  expect(result.steps).toMatchObject({
    embedTexts: { calls: 2, cachedCalls: 1, promptTokens: 1, costUsd: 0.001, prompts: [] },
    rankBySimilarity: { calls: 1, cachedCalls: 0, promptTokens: 2, models: ['fake-words'] },
  });
  expect(result.usage).toMatchObject({ calls: 3, promptTokens: 3, costUsd: 0.003 });

  const { events } = await handle.fetchHistory();
  const scheduled = (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: activity }) =>
    activity ? [[activity.activityType?.name, activity.taskQueue?.name]] : [],
  );
  expect(scheduled).toEqual([
    ['embedTexts', `${taskQueue}-llm`],
    ['retrieve', taskQueue],
    ['rankBySimilarity', `${taskQueue}-llm`],
    ['embedTexts', `${taskQueue}-llm`],
  ]);
});

it('ranks passages by the nearness of a text, and keeps vectors out of the history', async () => {
  const { start, embeddings } = await setUp(fakeEmbeddings({ meanings }));
  const question = 'doctor, car, river';
  const { chain, answer } = await (await start({ question })).result();
  expect(answer).toBe('Car');
  expect(chain?.ranked.map(({ id }) => id)).toEqual(['c', 'd']);
  expect(chain?.ranked[0]?.score).toBeGreaterThan(chain?.ranked[1]?.score ?? 1);
  const [vector = []] = await embeddings.get(chain?.keys ?? []);
  expect(vector).toHaveLength(64);
});

it('ranks passages that came with the question; ties keep their order', async () => {
  const { start } = await setUp(fakeEmbeddings({ meanings }));
  const passages = ['A river flows.', 'A car drives.', 'A river flows!'].map((text) => ({ text }));
  const input = { question: 'Which?', retrieval: { passages, mode: 'dense' } };
  const handle = await start({ ...input, options: { text: 'river', count: 10 } });
  const { chain, steps } = await handle.result();
  const [first, second, third] = chain?.retrieved ?? [];
  expect(chain?.ranked.map(({ id }) => id)).toEqual([first?.id, third?.id, second?.id]);
  expect(steps.embedTexts).toMatchObject({ calls: 1, cachedCalls: 1 });
});

it('refuses a mode that the corpus is not fit for before anything is paid', async () => {
  const model = fakeEmbeddings();
  const { start } = await setUp(model, false);
  const handle = await start({ question: 'physician', retrieval: { mode: 'hybrid' } });
  await expect(handle.result()).rejects.toMatchObject({
    cause: { type: 'BadInput', message: expect.stringContaining('--into sample --embed') },
  });
  expect(model.requests).toEqual([]);
});

it('retries what the provider refuses for the moment', async () => {
  const model = fakeEmbeddings({ meanings });
  let refused = 0;
  const busy: EmbeddingModel = {
    ...model,
    async embed(texts, signal) {
      if (texts.includes('physician') && refused++ < 2) {
        throw new Failure('RateLimited', 'Too many requests.', { retryAfterMs: 1 });
      }
      return model.embed(texts, signal);
    },
  };
  const { start } = await setUp(busy);
  const handle = await start({ question: 'physician', retrieval: { mode: 'dense' } });
  expect((await handle.result()).chain?.retrieved[0]?.id).toBe('d');
  expect(refused).toBe(3);
});
