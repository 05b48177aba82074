/** Indexes made-up passages, few and many: time, memory, and how long a search takes. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { withSearch } from '../cli/with-search.js';
import type { SearchEngine } from '../retrieval/open-search.js';
import { homeFolder } from '../stores/home.js';
import { figuresTable } from './figures-table.js';
import { benchFlags } from './flags.js';
import { measuredOn } from './machine.js';
import { zipfWriter } from './speed/corpus.js';
import { quietReporter } from './speed/quiet-reporter.js';
import { median, quantileOf } from './speed/timing.js';

const USAGE = `Usage: node dist/bench/growth.js [--search ENGINE]
  --search  lancedb (default) or elasticsearch (ELASTICSEARCH_URL, or one started here)`;

/** Passages of each corpus. */
const SIZES = [10_000, 1_000_000];
/** Words a passage, as in the usual Wikipedia corpora. */
const WORDS = 100;
const SEED = 7;
const LINES_AT_ONCE = 500;

/** As many words as a question of Natural Questions has on average. */
const QUERY_WORDS = 9;
const QUERIES = 500;
/** Left out of the figures: caches fill and the program is still being compiled. */
const WARM_UP = 50;
const RETRIEVED = 20;
/** The share of the passages after which the memory is that of a long build. */
const LATE = 0.8;

/** A row of the table, of a corpus of so many passages. */
async function measure(passages: number, engine: SearchEngine, folder: string): Promise<string[]> {
  const corpus = `growth-${passages}`;
  const file = path.join(folder, `${corpus}.jsonl`);
  await pipeline(Readable.from(lines(passages)), createWriteStream(file));
  const residentMiB: number[] = [];
  const start = performance.now();
  await engine.build({
    file,
    into: corpus,
    onProgress: ({ stage, passages: read }) => {
      if (stage !== 'reading' || read < LATE * passages) return;
      residentMiB.push(process.memoryUsage.rss() / 2 ** 20);
    },
  });
  const seconds = (performance.now() - start) / 1000;
  await rm(file);
  const searches = await searchTimes(engine, corpus);
  return [
    passages.toLocaleString('en-US'),
    seconds.toFixed(1),
    median(residentMiB).toFixed(0),
    median(searches).toFixed(1),
    quantileOf(searches, 0.95).toFixed(1),
  ];
}

/** Milliseconds of searches one after another, each by a query of its own. */
async function searchTimes(engine: SearchEngine, corpus: string): Promise<number[]> {
  const retriever = await engine.corpora.open(corpus);
  const { words } = zipfWriter(SEED + 1);
  const times: number[] = [];
  for (let n = 0; n < WARM_UP + QUERIES; n++) {
    const query = words(QUERY_WORDS);
    const start = performance.now();
    await retriever.search(query, RETRIEVED);
    if (n >= WARM_UP) times.push(performance.now() - start);
  }
  return times;
}

/** A corpus file, some lines at a time. */
function* lines(passages: number): Generator<string> {
  const { words, sentence } = zipfWriter(SEED);
  let some = '';
  for (let n = 1; n <= passages; n++) {
    some += `${JSON.stringify({ id: `passage-${n}`, title: words(3), text: sentence(WORDS) })}\n`;
    if (n % LINES_AT_ONCE > 0 && n < passages) continue;
    yield some;
    some = '';
  }
}

const { flags } = benchFlags(USAGE, { search: 'lancedb' });
const folder = await mkdtemp(path.join(tmpdir(), 'durable-rag-growth-'));
const env = {
  ...process.env,
  DURABLE_RAG_SEARCH: flags.search,
  DURABLE_RAG_CORPORA: path.join(folder, 'corpora'),
};
const { signal } = new AbortController();
const rows: string[][] = [];
try {
  await withSearch(
    { env, home: homeFolder(env), reporter: quietReporter, signal },
    async (engine) => {
      for (const size of SIZES) rows.push(await measure(size, engine, folder));
    },
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(`${flags.search}: passages of ${WORDS} words, ${QUERIES} searches of ${QUERY_WORDS} words for ${RETRIEVED} passages, one at a time.
${measuredOn()}

${figuresTable([
  ['passages', 'seconds to index', 'MiB of the indexing process', 'search p50, ms', 'p95, ms'],
  ...rows,
])}`);
