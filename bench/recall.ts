/** Measures answer recall on the shared corpora beside the stored Lucene figures. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { answerTokens, containsAnswer } from '../evaluation/has-answer.js';
import { type IndexedCorpora, openCorpora } from '../retrieval/corpora.js';
import type { Retriever } from '../retrieval/retriever.js';
import { type Cell, DEPTHS, indexCorpora, readCells, readQuestions } from './recall-data.js';

const USAGE = `Usage: node dist/bench/recall.js --data FOLDER [--folder FOLDER]
  --data    the evaluation data (or DURABLE_RAG_DATA); it has corpora/, dev/ and reference/
  --folder  where to keep the indexes; without it they are built anew and removed`;

/** The bar: points below Lucene, averaged at each depth and in any one cell. */
const AVERAGE_BAR = -1;
const CELL_BAR = -4;

interface Row {
  cell: Cell;
  /** Percent, one a depth. */
  ours: number[];
}

const { values } = parseArgs({ options: { data: { type: 'string' }, folder: { type: 'string' } } });
const data = values.data ?? process.env.DURABLE_RAG_DATA;
if (data === undefined) {
  console.error(`Where is the data?\n${USAGE}`);
  process.exitCode = 2;
} else {
  const folder = values.folder ?? (await mkdtemp(path.join(tmpdir(), 'durable-rag-recall-')));
  try {
    const met = await measure(data, folder);
    process.exitCode = met ? 0 : 1;
  } finally {
    if (values.folder === undefined) await rm(folder, { recursive: true, force: true });
  }
}

async function measure(data: string, folder: string): Promise<boolean> {
  const cells = await readCells(data);
  const corpora = openCorpora(folder);
  const names = [...new Set(cells.map((cell) => cell.corpus))];
  await indexCorpora(names, data, folder, corpora, console.log);
  const latencies: number[] = [];
  const texts = new Map<string, string>();
  const rows: Row[] = [];
  console.log(`\nAnswer recall, percent (difference from Lucene), development half\n${heading()}`);
  for (const cell of cells) {
    const ours = await recall(cell, data, corpora, { latencies, texts });
    rows.push({ cell, ours });
    console.log(line(`${cell.questions} on ${cell.corpus}`, cell.count, ours, cell.lucene));
  }
  return summarize(rows, latencies);
}

async function recall(
  cell: Cell,
  data: string,
  corpora: IndexedCorpora,
  { latencies, texts }: { latencies: number[]; texts: Map<string, string> },
): Promise<number[]> {
  const retriever = await corpora.open(cell.corpus);
  const questions = await readQuestions(data, cell.questions);
  if (questions.length !== cell.count) {
    throw new Error(`${cell.questions} has ${questions.length} questions, not ${cell.count}.`);
  }
  const found = DEPTHS.map(() => 0);
  for (const { question, answers } of questions) {
    const start = performance.now();
    const hits = await retriever.search(question, Math.max(...DEPTHS));
    latencies.push(performance.now() - start);
    const ids = hits.map((hit) => hit.id);
    await remember(ids, retriever, texts);
    const wanted = answers.map(answerTokens);
    const rank = ids.findIndex((id) => containsAnswer(texts.get(id) ?? '', wanted));
    DEPTHS.forEach((depth, column) => {
      if (rank !== -1 && rank < depth) found[column] = (found[column] ?? 0) + 1;
    });
  }
  return found.map((count) => (100 * count) / questions.length);
}

/** An id is a hash of the text, so a text seen in one corpus serves for all. */
async function remember(ids: string[], retriever: Retriever, texts: Map<string, string>) {
  const missing = ids.filter((id) => !texts.has(id));
  for (const { id, text } of await retriever.get(missing)) texts.set(id, answerTokens(text));
}

function summarize(rows: Row[], latencies: number[]): boolean {
  const mean = (column: number, of: (row: Row) => number[]) =>
    rows.reduce((sum, row) => sum + (of(row)[column] ?? 0), 0) / rows.length;
  const ours = DEPTHS.map((_, column) => mean(column, (row) => row.ours));
  const lucene = DEPTHS.map((_, column) => mean(column, (row) => row.cell.lucene));
  console.log(line('average', undefined, ours, lucene));

  const lowestAverage = Math.min(...ours.map((value, column) => value - (lucene[column] ?? 0)));
  const differences = rows.flatMap(({ cell, ours: values }) =>
    values.map((value, column) => ({
      name: `${cell.questions} on ${cell.corpus} @${DEPTHS[column]}`,
      points: value - (cell.lucene[column] ?? 0),
    })),
  );
  const worst = differences.reduce((a, b) => (b.points < a.points ? b : a));
  latencies.sort((a, b) => a - b);
  const quantile = (share: number) =>
    (latencies[Math.floor(share * latencies.length)] ?? 0).toFixed(1);
  const met = lowestAverage >= AVERAGE_BAR && worst.points >= CELL_BAR;
  console.log(`
lowest average  ${signed(lowestAverage)} (bar ${AVERAGE_BAR})
worst cell      ${signed(worst.points)} ${worst.name} (bar ${CELL_BAR})
search, k=100   p50 ${quantile(0.5)} ms, p95 ${quantile(0.95)} ms
${met ? 'The bar is met.' : 'THE BAR IS MISSED.'}`);
  return met;
}

function heading(): string {
  const columns = DEPTHS.map((depth) => `@${depth}`.padStart(14)).join('');
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
