/** Times our search, and LanceDB's alone, beside bm25s, which holds its index in the memory of a Python. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Table } from '@lancedb/lancedb';
import { openCorpora } from '../../retrieval/corpora.js';
import { connect, loadLance, TABLE } from '../../retrieval/lancedb/engine.js';
import { selected } from '../../retrieval/lancedb/table-retriever.js';
import { indexPaths } from '../../retrieval/manifest.js';
import { openSearch } from '../../retrieval/open-search.js';
import { best, type Hit } from '../../retrieval/ranking.js';
import { packageRoot } from '../../stores/package-root.js';
import { figuresTable } from '../figures-table.js';
import { measuredOn } from '../machine.js';
import { indexCorpora, readQuestions } from '../recall-data.js';
import { median, time } from '../speed/timing.js';

const CORPUS = 'wiki';
const QUESTIONS = 'nq';
/** How many passages are searched for. */
const RETRIEVED = 10;
/** Each way is timed so often, in turn with the other. */
const ROUNDS = 2;

interface Peer {
  version: string;
  passages: number;
  /** Milliseconds of a search for each question. */
  times(): Promise<number[]>;
  stop(): Promise<void>;
}

interface Row {
  name: string;
  /** Milliseconds, the medians of the rounds. */
  p50: number[];
}

/**
 * @param python that has bm25s.
 * @param folder where the corpora are indexed.
 * @returns what was measured, in Markdown.
 * @throws Error where Python or bm25s is not there.
 */
export async function besideBm25s(python: string, data: string, folder: string): Promise<string> {
  const questions = (await readQuestions(data, QUESTIONS)).map(({ question }) => question);
  const peer = await startBm25s(
    python,
    path.join(data, 'corpora', `${CORPUS}.jsonl.gz`),
    questions,
  );
  const search = await openSearch({ corpora: folder });
  try {
    await indexCorpora([CORPUS], data, folder, search, console.log);
    const searches = await oursOf(folder);
    const names = [...Object.keys(searches), `bm25s ${peer.version}`];
    const rows: Row[] = names.map((name) => ({ name, p50: [] }));
    for (let round = 0; round < ROUNDS; round++) {
      const times: number[][] = [];
      for (const search of Object.values(searches)) times.push(await timesOf(search, questions));
      times.push(await peer.times());
      for (const [row, own] of times.entries()) rows[row]?.p50.push(median(own));
    }
    return `${questions.length} questions of ${QUESTIONS} over ${peer.passages.toLocaleString('en-US')} passages, ${RETRIEVED} hits, one at a time.
${measuredOn()}

${besideTable(rows)}`;
  } finally {
    await peer.stop();
    await search.close();
  }
}

type Search = (query: string) => Promise<unknown>;

async function oursOf(folder: string): Promise<Record<string, Search>> {
  const corpora = openCorpora(folder);
  const retriever = await corpora.open(CORPUS);
  const { build } = await corpora.describe(CORPUS);
  const table = await (await connect(indexPaths(folder, CORPUS).build(build))).openTable(TABLE);
  return {
    'search for ten passages': (query) => retriever.search(query, RETRIEVED),
    'LanceDB alone, ten hits without texts': (query) =>
      best(RETRIEVED, (limit) => wordHits(table, query, limit)),
  };
}

/** Searches by the BM25 of the index alone, for at most `limit` hits. */
async function wordHits(table: Table, query: string, limit: number): Promise<Hit[]> {
  const { MatchQuery } = await loadLance();
  const matching = table.query().fullTextSearch(new MatchQuery(query, 'body'));
  const rows = await selected<Hit & { _score: number }>(matching.limit(limit), [
    'position',
    'id',
    'title',
    '_score',
  ]);
  return rows.map(({ position, id, title, _score }) => ({ position, id, title, score: _score }));
}

async function timesOf(search: Search, queries: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const query of queries) times.push(await time(() => search(query)));
  return times;
}

/** In Markdown, with how many times the last row's each is by the last round. Pure. */
function besideTable(rows: readonly Row[]): string {
  const rounds = rows[0]?.p50.map((_, round) => `p50 of round ${round + 1}, ms`) ?? [];
  const peer = rows.at(-1);
  return figuresTable([
    ['part', ...rounds, `of ${peer?.name}`],
    ...rows.map(({ name, p50 }) => [
      name,
      ...p50.map((ms) => ms.toFixed(1)),
      ((p50.at(-1) ?? Number.NaN) / (peer?.p50.at(-1) ?? Number.NaN)).toFixed(2),
    ]),
  ]);
}

/** It indexes the corpus before it answers. */
async function startBm25s(
  python: string,
  corpus: string,
  questions: readonly string[],
): Promise<Peer> {
  const script = path.join(packageRoot(), 'bench', 'recall', 'bm25s-times.py');
  const args = [script, corpus, String(RETRIEVED)];
  const child = spawn(python, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.write(`${JSON.stringify(questions)}\n`);
  const failed = new Promise<never>((_, fail) => {
    child.once('error', fail);
    child.once('exit', (code) =>
      fail(new Error(`${python} ended with ${code}; see above. It needs bm25s and PyStemmer.`)),
    );
  });
  failed.catch(() => {});
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async () => {
    const { value } = await Promise.race([lines.next(), failed]);
    return JSON.parse(value ?? (await failed));
  };
  const { version, passages } = (await next()) as Pick<Peer, 'version' | 'passages'>;
  return {
    version,
    passages,
    async times() {
      child.stdin.write('again\n');
      return (await next()) as number[];
    },
    async stop() {
      if (child.exitCode !== null) return;
      const exit = once(child, 'exit');
      child.stdin.end();
      await exit;
    },
  };
}
