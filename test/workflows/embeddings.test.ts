/** The steps that embed: dense retrieval, and reranking by similarity. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EmbeddingCache } from '../../llm/embedding-cache.js';
import type { EmbeddingModel } from '../../llm/embedding-model.js';
import { buildIndex } from '../../retrieval/build-index.js';
import { openCorpora } from '../../retrieval/corpora.js';
import { MemoryStore } from '../../stores/memory-store.js';
import type { Line } from '../../testing/scripted-model.js';
import { fakeEmbeddings } from '../support/fake-embeddings.js';
import { temporaryFolder } from '../support/folder.js';
import { handleOf, historyText, scheduledIn } from '../support/history.js';
import { runOnServer } from '../support/run-on-server.js';
import { runScripted } from '../support/run-scripted.js';

const meanings = { physician: 'doctor', automobile: 'car' };
const records = [
  { id: 'd', title: 'Doctor', text: 'A doctor helps.' },
  { id: 'c', title: 'Car', text: 'A car drives.' },
  { id: 'r', title: 'River', text: 'A river flows.' },
];
const reads: Line = { step: 'read', say: 'Yes' };
const ids = (passages: { id: string }[] = []) => passages.map(({ id }) => id);

/** An index over the records, embedded as they were indexed. */
async function indexed(model: EmbeddingModel, embedded = true) {
  const folder = await temporaryFolder();
  const file = join(folder, 'corpus.jsonl');
  await writeFile(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const embeddings = new EmbeddingCache(model, new MemoryStore());
  await buildIndex({ file, into: 'sample', folder, embeddings: embedded ? embeddings : undefined });
  return { embeddings, corpora: openCorpora(folder, embeddings) };
}

it('searches by vectors, one request for the query, and accounts for it', async () => {
  const model = fakeEmbeddings({ meanings });
  const parts = await indexed(model);
  const before = model.requests.length;
  const summary: Line = { step: 'summarizeGeneric', say: 'An automobile drives. [DONE]' };
  const { result, harness } = await runOnServer(
    'rerankPassages',
    [summary, reads],
    {
      question: 'physician',
      retrieval: { mode: 'dense' },
      options: { by: 'genericSummary', compare: ['embedding'] },
    },
    parts,
  );

  expect(result.chain?.passages[0]).toMatchObject({ id: 'd', title: 'Doctor' });
  expect(result.retrievals).toBe(1);
  // The passages were embedded as they were indexed, the question as it was searched with.
  expect(model.requests.slice(before)).toEqual([['physician'], ['An automobile drives.']]);
  expect(result.steps).toMatchObject({
    embedTexts: { calls: 1, cachedCalls: 0, promptTokens: 1, costUsd: 0.001, prompts: [] },
    rankBySimilarity: { calls: 2, cachedCalls: 1, promptTokens: 3, models: ['fake-words'] },
  });
  expect(result.chain?.rankings.map(({ by, ranked }) => [by, ranked[0]?.id])).toEqual([
    ['genericSummary', 'c'],
    ['embedding', 'd'],
  ]);

  const history = await handleOf(harness.connection, result.workflowId).fetchHistory();
  const scheduled = scheduledIn(history).map(({ name, queue }) => [name, queue]);
  const { taskQueue } = harness;
  expect(scheduled).toEqual([
    ['embedTexts', `${taskQueue}-llm`],
    ['retrieve', taskQueue],
    ['summarizeGeneric', `${taskQueue}-llm`],
    ['rankBySimilarity', `${taskQueue}-llm`],
    ['rankBySimilarity', `${taskQueue}-llm`],
    ['read', `${taskQueue}-llm`],
  ]);
  // No vector is in it: the numbers of one would stand in a row.
  expect(historyText(history)).not.toMatch(/(?:-?\d[\d.e-]*,\s*){4}/);
});

it('ranks passages that came with the question; ties keep their order', async () => {
  const { embeddings } = await indexed(fakeEmbeddings({ meanings }));
  const passages = ['A river flows.', 'A car drives.', 'A river flows!'].map((text) => ({ text }));
  const input = { question: 'river', retrieval: { passages } } as const;
  const { result } = await runScripted('rerankPassages', [reads], input, { embeddings });
  const [first, second, third] = ids(result.chain?.passages);
  const [{ ranked } = { ranked: [] }] = result.chain?.rankings ?? [];
  expect(ids(ranked)).toEqual([first, third, second]);
  expect(ranked[0]?.score).toBeGreaterThan(ranked[2]?.score ?? 1);
  // The question itself finds them as they were given: nothing is embedded for that.
  expect(result.steps).not.toHaveProperty('embedTexts');
  expect(result.steps.rankBySimilarity).toMatchObject({ calls: 1 });
});

it('refuses a mode that the corpus is not fit for before anything is paid', async () => {
  const model = fakeEmbeddings();
  const input = { question: 'physician', retrieval: { mode: 'hybrid' } } as const;
  const { result } = await runScripted('base', [], input, await indexed(model, false));
  expect(result).toMatchObject({
    outcome: 'failed',
    failure: { type: 'BadInput', message: expect.stringContaining('--into sample --embed') },
  });
  expect(model.requests).toEqual([]);
});
