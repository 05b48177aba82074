/** Indexes a million made-up passages, and measures whether memory grows with them. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { withSearch } from '../client/cli/with-search.js';
import type { SearchEngine } from '../retrieval/search-engine.js';
import { homeFolder } from '../stores/home.js';
import { writer } from './speed/corpus.js';
import { quietReporter } from './speed/quiet-reporter.js';

const USAGE = `Usage: node dist/bench/index-million.js [--passages N] [--search ENGINE]
  --passages  how many (default: 1000000)
  --search    elasticsearch (default; ELASTICSEARCH_URL, or one started here) or lancedb`;

const CORPUS = 'bench-million';
/** Words a passage, as in the usual Wikipedia corpora. */
const WORDS = 100;
const SEED = 7;
const LINES_AT_ONCE = 500;

/** The memory may be so much larger late than early. */
const BAR = 1.2;

/** Of this process, at a moment of the build. */
interface Sample {
  passages: number;
  rssMiB: number;
}

async function measure(passages: number, engine: SearchEngine, folder: string): Promise<boolean> {
  const file = path.join(folder, 'corpus.jsonl');
  await pipeline(Readable.from(lines(passages)), createWriteStream(file));
  const samples: Sample[] = [];
  const start = performance.now();
  const built = await engine.build({
    file,
    into: CORPUS,
    onProgress: ({ stage, passages: read }) => {
      if (stage === 'reading') samples.push({ passages: read, rssMiB: residentMiB() });
    },
  });
  const seconds = (performance.now() - start) / 1000;
  // The first tenth is left out: the program itself is still being loaded and compiled.
  const early = median(samples.filter(between(passages * 0.1, passages * 0.3)));
  const late = median(samples.filter(between(passages * 0.8, passages)));
  const ratio = late / early;
  console.log(`${engine.engine}: ${built.passages} passages of ${WORDS} words in ${seconds.toFixed(0)} s, ${(built.passages / seconds).toFixed(0)} a second
memory of the indexing process: ${early.toFixed(0)} MiB from a tenth to three tenths, ${late.toFixed(0)} MiB in the last fifth
late over early  ${ratio.toFixed(2)} (bar ${BAR})
${ratio <= BAR ? 'The bar is met.' : 'THE BAR IS MISSED.'}`);
  return ratio <= BAR;
}

/** A corpus file, some lines at a time. */
function* lines(passages: number): Generator<string> {
  const { words, sentence } = writer(SEED);
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

function median(samples: readonly Sample[]): number {
  const sorted = samples.map(({ rssMiB }) => rssMiB).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function residentMiB(): number {
  return process.memoryUsage.rss() / 2 ** 20;
}

async function main(passages: number, search: string): Promise<boolean> {
  const folder = await mkdtemp(path.join(tmpdir(), 'durable-rag-million-'));
  const env = {
    ...process.env,
    DURABLE_RAG_SEARCH: search,
    DURABLE_RAG_CORPORA: path.join(folder, 'corpora'),
  };
  const { signal } = new AbortController();
  try {
    return await withSearch(
      { env, home: homeFolder(env), reporter: quietReporter, signal },
      (engine) => measure(passages, engine, folder),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const type = 'string';
const { values } = parseArgs({
  options: { passages: { type }, search: { type }, help: { type: 'boolean' } },
});
const passages = Number(values.passages ?? 1_000_000);
if (values.help || !Number.isInteger(passages) || passages < 10_000) {
  console.error(`${values.help ? '' : '--passages must be at least 10000.\n'}${USAGE}`);
  process.exitCode = values.help ? 0 : 2;
} else {
  const met = await main(passages, values.search ?? 'elasticsearch');
  process.exitCode = met ? 0 : 1;
}
