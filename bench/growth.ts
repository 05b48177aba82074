/** Indexes made-up passages, more and more of them: time, memory, and how long a search takes. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { withSearch } from '../cli/with-search.js';
import { quantile } from '../evaluation/statistics/quantile.js';
import type { SearchEngine } from '../retrieval/open-search.js';
import { homeFolder } from '../stores/home.js';
import { benchFlags } from './flags.js';
import { measuredOn } from './machine.js';
import { zipfWriter } from './speed/corpus.js';
import { quietReporter } from './speed/quiet-reporter.js';

const USAGE = `Usage: node dist/bench/growth.js [--passages N[,N...]] [--search ENGINE]
  --passages  how many, at least 10000, each number in a corpus of its own (default: 10000,100000,1000000)
  --search    lancedb (default) or elasticsearch (ELASTICSEARCH_URL, or one started here)`;

const LEAST = 10_000;
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

/** The memory may be so much larger late than early, where there are enough samples to say. */
const BAR = 1.2;

/** Of this process, at a moment of the build. */
interface Sample {
  passages: number;
  rssMiB: number;
}

interface Measured {
  passages: number;
  seconds: number;
  /** MiB, from a tenth to three tenths of the passages, and in the last fifth. */
  early: number;
  late: number;
  /** Milliseconds a search. */
  p50: number;
  p95: number;
}

async function measure(passages: number, engine: SearchEngine, folder: string): Promise<Measured> {
  const corpus = `growth-${passages}`;
  const file = path.join(folder, `${corpus}.jsonl`);
  await pipeline(Readable.from(lines(passages)), createWriteStream(file));
  const samples: Sample[] = [];
  const start = performance.now();
  await engine.build({
    file,
    into: corpus,
    onProgress: ({ stage, passages: read }) => {
      if (stage === 'reading') samples.push({ passages: read, rssMiB: residentMiB() });
    },
  });
  const seconds = (performance.now() - start) / 1000;
  await rm(file);
  const searches = await searchTimes(engine, corpus);
  // The first tenth is left out: the program itself is still being loaded and compiled.
  const memory = (from: number, to: number) =>
    quantileOf(
      samples.filter(between(passages * from, passages * to)).map(({ rssMiB }) => rssMiB),
      0.5,
    );
  return {
    passages,
    seconds,
    early: memory(0.1, 0.3),
    late: memory(0.8, 1),
    p50: quantileOf(searches, 0.5),
    p95: quantileOf(searches, 0.95),
  };
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

function between(from: number, to: number): (sample: Sample) => boolean {
  return ({ passages }) => passages >= from && passages <= to;
}

/** NaN of nothing. */
function quantileOf(figures: readonly number[], share: number): number {
  return figures.length === 0
    ? Number.NaN
    : quantile(
        figures.toSorted((a, b) => a - b),
        share,
      );
}

function residentMiB(): number {
  return process.memoryUsage.rss() / 2 ** 20;
}

function table(measured: readonly Measured[]): string {
  const cells = ({ passages, seconds, early, late, p50, p95 }: Measured) => [
    passages.toLocaleString('en-US'),
    seconds.toFixed(1),
    (passages / seconds).toFixed(0),
    early.toFixed(0),
    late.toFixed(0),
    p50.toFixed(1),
    p95.toFixed(1),
  ];
  return [
    '| passages | seconds to index | a second | MiB early | MiB late | search p50, ms | p95, ms |',
    '| ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...measured.map((row) => `| ${cells(row).join(' | ')} |`),
  ].join('\n');
}

async function main(sizes: readonly number[], search: string): Promise<boolean> {
  const folder = await mkdtemp(path.join(tmpdir(), 'durable-rag-growth-'));
  const env = {
    ...process.env,
    DURABLE_RAG_SEARCH: search,
    DURABLE_RAG_CORPORA: path.join(folder, 'corpora'),
  };
  const { signal } = new AbortController();
  const measured: Measured[] = [];
  try {
    await withSearch(
      { env, home: homeFolder(env), reporter: quietReporter, signal },
      async (engine) => {
        for (const size of sizes) measured.push(await measure(size, engine, folder));
      },
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const largest = measured.at(-1);
  const ratio = largest ? largest.late / largest.early : Number.NaN;
  const met = ratio <= BAR;
  console.log(`${search}: passages of ${WORDS} words, ${QUERIES} searches of ${QUERY_WORDS} words for ${RETRIEVED} passages, one at a time.
${measuredOn()}

${table(measured)}

Memory of the indexing process with the most passages, late over early: ${ratio.toFixed(2)} (bar ${BAR}).
${met ? 'The bar is met.' : 'THE BAR IS MISSED.'}`);
  return met;
}

const { flags, number } = benchFlags(USAGE, {
  passages: '10000,100000,1000000',
  search: 'lancedb',
});
const isEnough = (size: number) => Number.isInteger(size) && size >= LEAST;
const sizes = flags.passages.split(',').map((size) => number(size, isEnough));
process.exitCode = (await main(sizes, flags.search)) ? 0 : 1;
