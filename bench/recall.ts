/** Measures answer recall on the shared corpora beside the stored Lucene figures. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { answerTokens, containsAnswer } from '../core/normalize-answer.js';
import { openSearch, type SearchEngine } from '../retrieval/open-search.js';
import type { Retriever } from '../retrieval/retriever.js';
import { homeFolder } from '../stores/home.js';
import { findElasticsearch } from '../temporal-dev/elasticsearch.js';
import type { Reporter } from '../temporal-dev/reporter.js';
import { readConfig } from '../workers/config.js';
import { benchFlags } from './flags.js';
import { measuredOn } from './machine.js';
import { type Cell, indexCorpora, RECALL_DEPTHS, readCells, readQuestions } from './recall-data.js';

const USAGE = `Usage: node dist/bench/recall.js --data FOLDER [--search ENGINE]
  --data    the evaluation data (or EVALUATION_DATA); it has corpora/, dev/ and reference/
  --search  lancedb (default), elasticsearch (ELASTICSEARCH_URL, or one started here) or both`;

const ENGINES = ['lancedb', 'elasticsearch'] as const;
type Engine = (typeof ENGINES)[number];

const reporter: Reporter = {
  part: (name, text) => console.log(`${name}: ${text}`),
  warn: console.error,
  progress: () => ({ update() {}, finish() {} }),
};

interface Row {
  cell: Cell;
  /** Percent, one a depth. */
  ours: number[];
}

const { flags, refuse } = benchFlags(USAGE, {
  data: process.env.EVALUATION_DATA,
  search: 'lancedb',
});
const { data = refuse() } = flags;
const engines = ENGINES.filter((one) => [one, 'both'].includes(flags.search));
if (engines.length === 0) refuse();
const folder = await mkdtemp(path.join(tmpdir(), 'durable-rag-recall-'));
try {
  for (const engine of engines) await measure(engine);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measure(engine: Engine): Promise<void> {
  if (engine === 'lancedb') return measureOn(engine, await openSearch({ corpora: folder }));
  const env = { ...process.env, DURABLE_RAG_SEARCH: engine };
  const local = await findElasticsearch({ env, home: homeFolder(env), reporter });
  try {
    await measureOn(engine, await openSearch(readConfig(env)));
  } finally {
    await local?.stop();
  }
}

async function measureOn(engine: Engine, search: SearchEngine): Promise<void> {
  // In an Elasticsearch that others use as well, nobody's own corpus is replaced.
  const indexedAs = (corpus: string) => (engine === 'elasticsearch' ? `recall-${corpus}` : corpus);
  const cells = await readCells(data);
  const names = [...new Set(cells.map(({ corpus }) => corpus))];
  await indexCorpora(names, data, folder, search, console.log, indexedAs);
  console.log(
    `\nAnswer recall of ${engine}, percent (difference from Lucene), development half\n${measuredOn()}\n${heading()}`,
  );
  const texts = new Map<string, string>();
  const rows: Row[] = [];
  for (const cell of cells) {
    const ours = await recall(cell, await search.corpora.open(indexedAs(cell.corpus)), texts);
    rows.push({ cell, ours });
    console.log(line(nameOf(cell), cell.count, ours, cell.lucene));
  }
  await search.close();
  summarize(rows);
}

/** @param texts Those seen so far: an id is a hash of the text, so one serves for all corpora. */
async function recall(
  cell: Cell,
  retriever: Retriever,
  texts: Map<string, string>,
): Promise<number[]> {
  const questions = await readQuestions(data, cell.questions);
  if (questions.length !== cell.count) {
    throw new Error(`${cell.questions} has ${questions.length} questions, not ${cell.count}.`);
  }
  const ranks: number[] = [];
  for (const { question, answers } of questions) {
    const hits = await retriever.search(question, Math.max(...RECALL_DEPTHS));
    const ids = hits.map(({ id }) => id);
    const missing = ids.filter((id) => !texts.has(id));
    for (const { id, text } of await retriever.get(missing)) texts.set(id, answerTokens(text));
    const wanted = answers.map(answerTokens);
    const rank = ids.findIndex((id) => containsAnswer(texts.get(id) ?? '', wanted));
    ranks.push(rank === -1 ? Number.POSITIVE_INFINITY : rank);
  }
  return RECALL_DEPTHS.map(
    (depth) => (100 * ranks.filter((rank) => rank < depth).length) / questions.length,
  );
}

function summarize(rows: readonly Row[]): void {
  const mean = (of: (row: Row) => number) =>
    rows.reduce((sum, row) => sum + of(row), 0) / rows.length;
  const ours = RECALL_DEPTHS.map((_, column) => mean((row) => row.ours[column] ?? 0));
  const lucene = RECALL_DEPTHS.map((_, column) => mean(({ cell }) => cell.lucene[column] ?? 0));
  console.log(line('average', undefined, ours, lucene));
  const differences = rows.flatMap(({ cell, ours: values }) =>
    values.map((value, column) => ({
      name: `${nameOf(cell)} @${RECALL_DEPTHS[column]}`,
      points: value - (cell.lucene[column] ?? 0),
    })),
  );
  const [worst, ...others] = differences.toSorted((a, b) => a.points - b.points);
  for (const one of [worst, others.at(-1)]) {
    if (one) console.log(`largest difference ${signed(one.points)}: ${one.name}`);
  }
}

function nameOf({ questions, corpus }: Cell): string {
  return `${questions} on ${corpus}`;
}

function heading(): string {
  const columns = RECALL_DEPTHS.map((depth) => `@${depth}`.padStart(14)).join('');
  return `${'questions on corpus'.padEnd(36)}${'n'.padStart(4)}${columns}`;
}

function line(name: string, count: number | undefined, ours: number[], lucene: number[]): string {
  const columns = ours.map((value, column) =>
    `${value.toFixed(1)} (${signed(value - (lucene[column] ?? 0))})`.padStart(14),
  );
  return `${name.padEnd(36)}${String(count ?? '').padStart(4)}${columns.join('')}`;
}

function signed(points: number): string {
  return `${points < 0 ? '' : '+'}${points.toFixed(1)}`;
}
