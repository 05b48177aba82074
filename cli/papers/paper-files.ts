/** Reads the files of papers/: a study and a layout with figures for each table, and the data sets. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Failure, messageOf } from '../../core/failure.js';
import { parsedBy } from '../../core/options/checked.js';
import { suggestion } from '../../core/options/nearest.js';
import { nonEmpty } from '../../core/options/ranges.js';
import { type PaperTable, parsePaperTable } from '../../evaluation/papers/paper-table.js';
import { packageRoot } from '../../stores/package-root.js';
import { parseTextFile } from '../../stores/text-file.js';

const paper = z.strictObject({
  name: nonEmpty.describe('name of its method'),
  source: nonEmpty.describe('who wrote it, and where it stands'),
  page: nonEmpty.describe('name of its page in docs/methods'),
});

const foundAt = z.strictObject({
  path: nonEmpty.describe('path in a folder of data'),
  reader: nonEmpty.optional().describe('known data set that the file is read as'),
  fields: z.record(z.string(), z.string()).optional().describe('which field is which'),
});

const dataSet = z.strictObject({
  title: nonEmpty.describe('what it is'),
  questions: z.int().min(1).optional().describe('how many there are, or the paper asks'),
  paths: z
    .array(z.union([nonEmpty, foundAt]))
    .default([])
    .describe('where it lies in folders of data, beside the place that FlashRAG has'),
  from: nonEmpty.optional().describe('where it is to be had, if FlashRAG does not have it'),
});

/**
 * A data set that a paper uses: its title, its number of questions, and the places where its file
 * may be.
 */
export type PaperDataSet = z.output<typeof dataSet>;

/**
 * A table or figure of a paper as the package's files declare it: its layout with the paper's
 * numbers, facts about the paper, and the path of the study that reproduces it.
 */
export interface PaperFile {
  /** Name of the paper's folder, such as "sure". */
  paper: string;
  /** Name of the table's files without extension, such as "table-1". */
  table: string;
  /** Facts about the paper. */
  of: z.output<typeof paper>;
  layout: PaperTable;
  /** Path of the study that reproduces it; undefined if it cannot be reproduced. */
  study: string | undefined;
}

const LAYOUT = '.paper.json';

/** Returns the path of the folder, in this package, with the papers' tables. */
export function papersFolder(): string {
  return join(packageRoot(), 'papers');
}

/**
 * Returns an array of the tables and figures of all papers, or of one: papers by name, tables
 * before figures, both by number.
 *
 * @param only Name of the paper; undefined for all papers.
 * @throws Failure BadInput for an unknown paper, or naming the file and field that is wrong.
 */
export async function paperFiles(only?: string, folder = papersFolder()): Promise<PaperFile[]> {
  const papers = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  if (only !== undefined && !papers.includes(only)) {
    throw new Failure('BadInput', `There is no paper "${only}"${suggestion(only, papers)}`);
  }
  const found: PaperFile[] = [];
  for (const name of only === undefined ? papers : [only]) {
    const of = await parsedJson(join(folder, name, 'paper.json'), (value) =>
      parsedBy(paper, value),
    );
    const tables = readdirSync(join(folder, name)).filter((file) => file.endsWith(LAYOUT));
    for (const table of tables.map((file) => file.slice(0, -LAYOUT.length)).sort(inOrder)) {
      const file = join(folder, name, `${table}${LAYOUT}`);
      const layout = await parsedJson(file, parsePaperTable);
      const study = join(folder, name, `${table}.yaml`);
      const hasStudy = existsSync(study);
      if (hasStudy !== (layout.made !== 'no')) {
        const what = hasStudy
          ? `made: is "no" beside the study ${study}`
          : `made: is "${layout.made}", but there is no study ${study}`;
        throw new Failure('BadInput', `${file}: ${what}`);
      }
      found.push({ paper: name, table, of, layout, study: hasStudy ? study : undefined });
    }
  }
  return found;
}

/**
 * Returns the declaration of a table or figure of a paper: its layout with the paper's figures,
 * facts about the paper, and the path of the study that reproduces it.
 *
 * @param table Name of its file without its ending, such as "table-1".
 * @throws Failure BadInput for an unknown paper, or if the paper has no such table.
 */
export async function paperFile(paper: string, table: string): Promise<PaperFile> {
  const all = await paperFiles(paper);
  const found = all.find((file) => file.table === table);
  if (found) return found;
  const names = all.map((file) => file.table);
  const known = suggestion(table, names);
  throw new Failure('BadInput', `There is no table "${table}" of ${paper}${known}`);
}

/**
 * Reads the data sets of all papers, and returns an object with each of them (title, number of
 * questions, and places of its file) by its name in study files.
 *
 * @throws Failure BadInput naming the wrong field of the file.
 */
export function paperDataSets(folder = papersFolder()): Promise<Record<string, PaperDataSet>> {
  return parsedJson(join(folder, 'datasets.json'), (value) =>
    parsedBy(z.record(z.string(), dataSet), value),
  );
}

/**
 * Returns the name of a table for people, made from the name of its file.
 * @example tableName('table-1') // "table 1"
 */
export function tableName(table: string): string {
  return table.replace('-', ' ');
}

/**
 * Compares two names of tables, for sorting: tables before figures, and both by their numbers, so
 * that "table-2" comes before "table-10".
 */
function inOrder(one: string, other: string): number {
  const [first, second] = [one, other].map((name) => Number(name.startsWith('figure')));
  return Number(first) - Number(second) || one.localeCompare(other, 'en', { numeric: true });
}

function parsedJson<T>(file: string, parse: (value: unknown) => T): Promise<T> {
  return parseTextFile(file, (text) => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (cause) {
      throw new Failure('BadInput', `is not JSON (${messageOf(cause)})`, { cause });
    }
    return parse(value);
  });
}
