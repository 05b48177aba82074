/** Reads a BEIR folder: its queries, with the passages that were judged relevant to them. */
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { groupedBy } from '../../core/grouped-by.js';
import { checkAgainst, describeKind } from '../../core/options/checked.js';
import { describeProblems } from '../../core/options/problems.js';
import { readDelimited } from '../../files/records/delimited.js';
import type { FileEntry } from '../../files/records/entry.js';
import { readJsonLines } from '../../files/records/json-lines.js';
import { type RecordKind, SourceFile } from '../../files/records/source-file.js';
import { id, number } from './record-fields.js';

const DATASET: RecordKind = {
  noun: 'data set',
  accepted:
    'data sets are JSON Lines, a JSON list, CSV or TSV with a header, Parquet, or a BEIR folder: see docs/datasets.md',
  otherwise: '; what the store has is named stored:NAME',
  // SQuAD, TriviaQA, BioASQ.
  lists: new Set(['data', 'questions']),
};

/**
 * Returns a data set's file as a source of records. Nothing is read yet, so the file need not
 * exist.
 */
export function datasetFile(path: string, signal?: AbortSignal): SourceFile {
  return new SourceFile(path, DATASET, signal);
}

/** Paths of the files of a BEIR folder. */
interface BeirFiles {
  queries: string;
  corpus: string;
  judgements: string;
}

const query = z.looseObject({
  _id: id,
  text: z.string(),
  metadata: z.looseObject({}).nullish(),
});
const passage = z.object({
  _id: id,
  title: z.string().nullish(),
  text: z.string(),
});

/**
 * Returns the paths of the files of a BEIR data set (`queries`, `corpus` and `judgements`), which
 * is named by its folder or by one of its files of judgements (`qrels/dev.tsv`). Undefined for any
 * other file, also for such a file without queries and corpus beside its folder. A folder stands
 * for its only file of judgements, or for `qrels/test.tsv`.
 *
 * @throws Failure BadInput for a folder of another kind or without judgements, and if the file of
 * judgements must be named. Errors of the file system if there is no such file.
 */
export async function beirFiles(file: string): Promise<BeirFiles | undefined> {
  const isFolder = (await stat(file)).isDirectory();
  if (!isFolder && !(basename(dirname(file)) === 'qrels' && /\.tsv$/i.test(file))) return undefined;
  const home = isFolder ? file : dirname(dirname(file));
  const there = await readdir(home);
  const named = (name: string) => there.find((one) => one === name || one === `${name}.gz`);
  const [queries, corpus] = [named('queries.jsonl'), named('corpus.jsonl')];
  if (queries === undefined || corpus === undefined || !there.includes('qrels')) {
    if (!isFolder) return undefined;
    throw datasetFile(file).refuse(
      "cannot be read (EISDIR): a folder must be in BEIR's layout, with queries.jsonl, corpus.jsonl and qrels/test.tsv",
    );
  }
  const judgements = isFolder ? join(home, 'qrels', await splitOf(home)) : file;
  return { queries: join(home, queries), corpus: join(home, corpus), judgements };
}

async function splitOf(home: string): Promise<string> {
  const splits = (await readdir(join(home, 'qrels'))).filter((name) => name.endsWith('.tsv'));
  const chosen = splits.length === 1 ? splits[0] : splits.find((name) => name === 'test.tsv');
  if (chosen !== undefined) return chosen;
  const names = splits.toSorted().map((name) => `qrels/${name}`);
  throw datasetFile(home).refuse(
    names.length === 0
      ? 'has no judgements in qrels: BEIR stores them in qrels/test.tsv'
      : `has judgements in ${names.join(' and ')}: name one of these files instead of the folder`,
  );
}

/**
 * Yields the queries for which a passage was judged relevant (a grade above 0), in the order of
 * their file, each as an object of its `place` in the file and its record (`value`), with these
 * passages, highest grade first. The judgements of the split and the texts of the relevant
 * passages are in memory.
 *
 * @throws Failure BadInput for a file that cannot be read, and for a relevant passage that is
 * missing in the corpus.
 */
export async function* readBeir(files: BeirFiles, signal?: AbortSignal): AsyncGenerator<FileEntry> {
  const relevant = await readJudgements(files.judgements, signal);
  const wanted = new Set([...relevant.values()].flatMap((all) => all.map(({ id }) => id)));
  const texts = await readTexts(files.corpus, wanted, signal);
  for await (const entry of readJsonLines(datasetFile(files.queries, signal))) {
    const { _id, text, metadata } = parsed(query, entry, files.queries);
    const judged = relevant.get(_id);
    if (judged === undefined) continue;
    const passages = judged.map(({ id, grade }) => ({ id, grade, ...texts.get(id) }));
    yield { place: entry.place, value: { _id, text, metadata, passages } };
  }
}

const judgement = z.object({
  'query-id': z.string(),
  'corpus-id': z.string(),
  score: number,
});

/** A passage that was judged relevant, with its grade. */
interface Relevant {
  id: string;
  grade: number;
}

async function readJudgements(
  file: string,
  signal?: AbortSignal,
): Promise<Map<string, Relevant[]>> {
  const relevant: z.output<typeof judgement>[] = [];
  for await (const row of readDelimited(datasetFile(file, signal), '\t', {})) {
    const judged = parsed(judgement, row, file);
    if (judged.score > 0) relevant.push(judged);
  }
  relevant.sort((a, b) => b.score - a.score);
  const byQuery = groupedBy(relevant, (judged) => judged['query-id']);
  return new Map(
    [...byQuery].map(([id, all]) => [
      id,
      all.map((one) => ({ id: one['corpus-id'], grade: one.score })),
    ]),
  );
}

async function readTexts(
  file: string,
  wanted: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<Map<string, { title: string; text: string; isGold: true }>> {
  const texts = new Map<string, { title: string; text: string; isGold: true }>();
  for await (const entry of readJsonLines(datasetFile(file, signal))) {
    const { _id, title, text } = parsed(passage, entry, file);
    if (wanted.has(_id)) texts.set(_id, { title: title ?? '', text, isGold: true });
  }
  const missing = [...wanted].find((id) => !texts.has(id));
  if (missing !== undefined) {
    throw datasetFile(file).refuse(
      `has no passage "${missing}", which the judgements name as relevant`,
    );
  }
  return texts;
}

/** Returns the value of an entry, checked. @throws Failure BadInput naming its first problem. */
function parsed<T>(schema: z.ZodType<T>, { value, place }: FileEntry, file: string): T {
  const found = checkAgainst(schema, value, [], describeKind);
  if (!found.problems) return found.data;
  throw datasetFile(file).refuse(`${place}: ${describeProblems(found.problems.slice(0, 1))}`);
}
