/** The steps that embed: dense retrieval, reranking, and passages that came with a question. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EmbeddingCache } from '../../llm/embedding-cache.js';
import type { EmbeddingModel } from '../../llm/embedding-model.js';
import { buildIndex } from '../../retrieval/build-index.js';
import { openCorpora } from '../../retrieval/lancedb/lance-corpora.js';
import { MemoryStore } from '../../stores/memory-store.js';
import type { ScriptedReply } from '../../testing/scripted-model.js';
import { fakeEmbeddings } from '../support/fake-embeddings.js';
import { temporaryFolder } from '../support/folder.js';
import { handleOf, historyText, scheduledIn } from '../support/history.js';
import { answer, missing, select, verify } from '../support/llatrieval-script.js';
import { runOnServer } from '../support/run-on-server.js';
import { play, scenarios } from '../support/scenarios.js';

const meanings = { physician: 'doctor', automobile: 'car' };
const records = [
  { id: 'd', title: 'Doctor', text: 'A doctor helps.' },
  { id: 'c', title: 'Car', text: 'A car drives.' },
  { id: 'r', title: 'River', text: 'A river flows.' },
];
const reads: ScriptedReply = { step: 'read', say: 'Yes' };

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
  const summary: ScriptedReply = { step: 'summarizeGeneric', say: 'An automobile drives. [DONE]' };
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

it('refuses a mode that the corpus is not fit for before anything is paid', async () => {
  const model = fakeEmbeddings();
  const message = expect.stringContaining('--into sample --embed');
  await play('base', {
    script: [],
    input: { question: 'physician', retrieval: { mode: 'hybrid' } },
    changes: await indexed(model, false),
    result: { outcome: 'failed', failure: { type: 'BadInput', message } },
  });
  expect(model.requests).toEqual([]);
});

/** Passages that come with a question are ranked by what a method asks of them. */
const passages = [
  { title: 'Bell', text: 'Bell was granted the patent of the telephone.' },
  { title: 'Watson', text: 'Watson heard the first words.' },
  { title: 'Wire', text: 'A wire carries a current.' },
  { title: 'Caveat', text: 'Gray filed a caveat on the same day.' },
  { title: 'Meucci', text: 'Meucci could not pay for a patent.' },
  { title: 'Car', text: 'A car drives.' },
];
const embeddingsOf = (model: EmbeddingModel) => new EmbeddingCache(model, new MemoryStore());

scenarios('rerankPassages', {
  'ranks passages that came with the question; ties keep their order': {
    script: [reads],
    input: {
      question: 'river',
      retrieval: {
        passages: ['A river flows.', 'A car drives.', 'A river flows!'].map((text) => ({ text })),
      },
    },
    changes: { embeddings: embeddingsOf(fakeEmbeddings({ meanings })) },
    result: { steps: { rankBySimilarity: { calls: 1 } } },
    check({ result }) {
      const ids = (found: { id: string }[] = []) => found.map(({ id }) => id);
      const [first, second, third] = ids(result.chain?.passages);
      const [{ ranked } = { ranked: [] }] = result.chain?.rankings ?? [];
      expect(ids(ranked)).toEqual([first, third, second]);
      expect(ranked[0]?.score).toBeGreaterThan(ranked[2]?.score ?? 1);
      // The question itself finds them as they were given: nothing is embedded for that.
      expect(result.steps).not.toHaveProperty('embedTexts');
    },
  },
});

scenarios('llatrieval', {
  'LLatrieval goes on while they do not suffice, and a new query brings others first': {
    script: [
      select('1 2'),
      verify('[NO]'),
      missing('New passage: Gray filed a caveat.'),
      select('1 3'),
      verify('[NO]'),
      missing('Who could not pay? Meucci and his car.'),
      select('3 1'),
      verify('[YES]'),
      answer('It was Bell [1].'),
    ],
    options: { supporting: 2, passages: 3, window: 5, iterations: 3, summaries: false },
    input: { retrieval: { passages } },
    result: { outcome: 'answered', retrievals: 3, chain: { documentsRead: 6 } },
    check({ result }) {
      const { iterations = [] } = result.chain ?? {};
      // The question itself finds them as they were given.
      expect(iterations.map(({ found }) => found.map(({ title }) => title))).toEqual([
        ['Bell', 'Watson', 'Wire'],
        ['Caveat', expect.any(String), expect.any(String)],
        ['Meucci', 'Car', expect.any(String)],
      ]);
      const offered = iterations.flatMap(({ selections }) =>
        selections.flatMap(({ candidates }) => candidates),
      );
      expect(new Set(offered).size).toBe(offered.length);
    },
  },
});

it('embeds passages of a question by one paid step where it is searched by vectors', async () => {
  const model = fakeEmbeddings({ meanings });
  await play('base', {
    script: [reads],
    input: { question: 'automobile', retrieval: { passages, mode: 'dense' } },
    options: { passages: 2 },
    changes: { embeddings: embeddingsOf(model) },
    result: {
      retrievals: 1,
      steps: { rankBySimilarity: { calls: 1, cachedCalls: 0 } },
      chain: { passages: [{ title: 'Car' }, {}] },
    },
  });
  expect(model.requests.map((texts) => texts.length)).toEqual([1 + passages.length]);
});
