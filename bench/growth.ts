/** Indexes made-up passages, few and many: time, memory, and how long a search takes. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { withSearch } from '../cli/with-search.js';
import { openCorpusFile } from '../retrieval/corpus-reader.js';
import type { SearchEngine } from '../retrieval/open-search.js';
import { homeFolder } from '../stores/home.js';
import { figuresTable } from './figures-table.js';
import { benchFlags } from './flags.js';
import { measuredOn } from './machine.js';
import { zipfWriter } from './speed/corpus.js';
import { quietReporter } from './speed/quiet-reporter.js';
import { median, quantileOf } from './speed/timing.js';

const USAGE = `Usage: node dist/bench/growth.js [--search ENGINE] [--passages N,N,...]
  --search    lancedb (default) or elasticsearch (ELASTICSEARCH_URL, or one started here)
  --passages  of each corpus, the smallest first (default 10000,1000000)`;

/** Words a passage, as in the usual Wikipedia corpora. */
const WORDS = 100;
/** Passages of a document. */
const DOCUMENT = 5;
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
/** How often the memory is looked at, in milliseconds. */
const LOOK_MS = 100;

/** A row of the table, of a corpus of so many passages in the form of DPR's psgs_w100.tsv. */
async function measure(passages: number, engine: SearchEngine, folder: string): Promise<string[]> {
  const corpus = `growth-${passages}`;
  const file = path.join(folder, `${corpus}.tsv`);
  await pipeline(Readable.from(lines(passages)), createWriteStream(file));
  const reading = await mostMemory(async () => {
    for await (const _ of await openCorpusFile(file));
  });
  const lateMiB: number[] = [];
  const building = await mostMemory(() =>
    engine.build({
      file,
      into: corpus,
      onProgress: ({ stage, passages: read }) => {
        if (stage !== 'reading' || read < LATE * passages) return;
        lateMiB.push(process.memoryUsage.rss() / 2 ** 20);
      },
    }),
  );
  await rm(file);
  const searches = await searchTimes(engine, corpus);
  return [
    passages.toLocaleString('en-US'),
    reading.seconds.toFixed(1),
    reading.mebibytes.toFixed(0),
    building.seconds.toFixed(1),
    median(lateMiB).toFixed(0),
    building.mebibytes.toFixed(0),
    median(searches).toFixed(1),
    quantileOf(searches, 0.95).toFixed(1),
  ];
}

/** How long some work takes, and the most resident memory that this process has while it does. */
async function mostMemory(
  work: () => Promise<unknown>,
): Promise<{ seconds: number; mebibytes: number }> {
  let most = 0;
  const look = () => {
    most = Math.max(most, process.memoryUsage.rss());
  };
  const timer = setInterval(look, LOOK_MS);
  const start = performance.now();
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  look();
  return { seconds: (performance.now() - start) / 1000, mebibytes: most / 2 ** 20 };
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

/** A corpus file, some lines at a time; passages of a document share its id. */
function* lines(passages: number): Generator<string> {
  const { words, sentence } = zipfWriter(SEED);
  let some = 'id\ttext\ttitle\n';
  for (let n = 1; n <= passages; n++) {
    some += `document-${Math.ceil(n / DOCUMENT)}\t${sentence(WORDS)}\t${words(3)}\n`;
    if (n % LINES_AT_ONCE > 0 && n < passages) continue;
    yield some;
    some = '';
  }
}

const { flags, number } = benchFlags(USAGE, { search: 'lancedb', passages: '10000,1000000' });
const sizes = flags.passages.split(',').map(number);
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
      for (const size of sizes) rows.push(await measure(size, engine, folder));
    },
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(`${flags.search}: passages of ${WORDS} words, ${QUERIES} searches of ${QUERY_WORDS} words for ${RETRIEVED} passages, one at a time.
${measuredOn()}

${figuresTable([
  [
    'passages',
    'seconds to read',
    'MiB at most',
    'seconds to index',
    'MiB while it reads',
    'MiB at most',
    'search p50, ms',
    'p95, ms',
  ],
  ...rows,
])}`);
