/** Reads the evaluation data that the recall benchmark needs, and indexes its corpora. */
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import type { SearchEngine } from '../retrieval/open-search.js';
import { splitLines } from '../stores/lines.js';

/** Ranks at which the reference gives recall. */
export const RECALL_DEPTHS = [1, 5, 10, 20, 100];

/** One row of the reference: the questions of a data set put to a corpus. */
export interface Cell {
  questions: string;
  corpus: string;
  count: number;
  /** Percent, one a depth. */
  lucene: number[];
}

const figure = z.object({ mean: z.number(), n: z.number() });
const reference = z.object({
  results: z.record(z.string(), z.record(z.string(), z.record(z.string(), figure))),
});
const questionSchema = z.object({
  question: z.string(),
  answers: z.array(z.string()),
  answerKind: z.string(),
});

/** Recall is counted over these only: the others have no answer to look for in a passage. */
const WITH_ANSWERS = new Set(['span', 'list', 'long']);

/** The rows of the stored reference that have answer recall for the development half. */
export async function readCells(data: string): Promise<Cell[]> {
  const file = path.join(data, 'reference', 'recall.json');
  const { results } = reference.parse(JSON.parse(await readFile(file, 'utf8')));
  return Object.entries(results).flatMap(([name, systems]) => {
    const [questions = '', corpus = ''] = name.split('|');
    const figures = Object.entries(systems).find(([system]) => system.startsWith('Lucene'))?.[1];
    const cells = RECALL_DEPTHS.map((depth) => figures?.[`dev.answer@${depth}`]);
    const present = cells.filter((cell) => cell !== undefined);
    if (present.length < RECALL_DEPTHS.length) return [];
    const lucene = present.map((cell) => cell.mean);
    return [{ questions, corpus, count: present[0]?.n ?? 0, lucene }];
  });
}

/** The development questions of a data set that count for answer recall. */
export async function readQuestions(data: string, name: string) {
  const questions = [];
  for await (const record of readGzip(path.join(data, 'dev', `${name}.jsonl.gz`))) {
    const question = questionSchema.parse(record);
    if (WITH_ANSWERS.has(question.answerKind)) questions.push(question);
  }
  return questions;
}

/**
 * Builds what is missing in the engine; the small corpora are cut out of wiki by its sets.
 *
 * @param folder for what is cut out, as long as it takes
 * @param indexedAs the corpus's name in the engine
 */
export async function indexCorpora(
  names: readonly string[],
  data: string,
  folder: string,
  { corpora, build }: Pick<SearchEngine, 'corpora' | 'build'>,
  log: (line: string) => void,
  indexedAs: (name: string) => string = (name) => name,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const whole = new Set(['wiki', 'news']);
  const there = new Set((await corpora.list()).map((manifest) => manifest.name));
  for (const name of names.filter((wanted) => !there.has(indexedAs(wanted)))) {
    const shipped = path.join(data, 'corpora', `${name}.jsonl.gz`);
    const file = whole.has(name) ? shipped : await cutOut(name, data, folder);
    const start = performance.now();
    const { passages } = await build({ file, into: indexedAs(name) });
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    log(`indexed ${name}: ${passages} passages in ${seconds} s`);
    if (!whole.has(name)) await rm(file);
  }
}

async function cutOut(set: string, data: string, folder: string): Promise<string> {
  const member = z.object({ sets: z.array(z.string()).optional() });
  const file = path.join(folder, `${set}.jsonl`);
  const output = await open(file, 'w');
  try {
    for await (const record of readGzip(path.join(data, 'corpora', 'wiki.jsonl.gz'))) {
      if (!member.parse(record).sets?.includes(set)) continue;
      await output.write(`${JSON.stringify(record)}\n`);
    }
  } finally {
    await output.close();
  }
  return file;
}

/** The records of a gzip JSON Lines file. */
export async function* readGzip(file: string): AsyncGenerator<unknown> {
  const stream = createReadStream(file);
  const unpacked = stream.pipe(createGunzip());
  stream.on('error', (error) => unpacked.destroy(error));
  for await (const { bytes } of splitLines(unpacked, file)) yield JSON.parse(bytes.toString());
}
