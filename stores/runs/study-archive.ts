/** Writes a study as one file: its definition, its data sets, and the archive of each run. */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type DatasetRecord, dataSource } from '../../core/dataset-record.js';
import { errorCodeOf } from '../../core/failure.js';
import { NAME_PATTERN } from '../../core/name.js';
import {
  alteredArchive,
  alteredPart,
  badArchive,
  CONTENTS_FILE,
  DamagedArchive,
  hashesOf,
  packArchive,
  unpackArchive,
  withTemporaryFolder,
} from './archive-file.js';
import { jsonLinesFile, parseJsonFile, writeJson } from './json-file.js';
import { type ArchiveSource, writeRunArchive } from './run-archive.js';

const VERSION = 1;
/** The field `format` of archive.json in the archive of a study. */
export const STUDY_FORMAT = 'durable-rag-study';
const DEFINITION = 'study.json';
const MORE = /^(?:runs\/[A-Za-z0-9][\w.-]{0,99}\.tar\.gz|datasets\/[0-9a-f]{64}\.jsonl)$/;
const LAYOUT = {
  of: 'a study',
  parts: [CONTENTS_FILE, DEFINITION],
  more: (path: string) => MORE.test(path),
};

const dataset = z.object({
  /** Its name in tables. */
  label: z.string(),
  file: z.string(),
  /** SHA-256 of its questions, which names the part that holds them; see `parts`. */
  sha256: z.string(),
  source: dataSource.exactOptional(),
});

const contents = z.object({
  format: z.literal(STUDY_FORMAT),
  version: z.number(),
  study: z.string().regex(NAME_PATTERN),
  runs: z.array(z.string().regex(NAME_PATTERN)),
  datasets: z.array(dataset),
  /** SHA-256 of each other part, by name. */
  parts: z.record(z.string(), z.string()),
});
type Contents = z.infer<typeof contents>;

/**
 * The description of one data set in the archive of a study: its label, file name, hash and source.
 */
export type StudyDataset = z.infer<typeof dataset>;

/** Contents of a study's archive. */
interface ArchivedStudy {
  study: string;
  /** The study as its file defines it; null if unknown. */
  definition: object | null;
  runs: readonly string[];
  datasets: readonly (StudyDataset & { read(): AsyncIterable<DatasetRecord> })[];
}

const runPart = (run: string) => `runs/${run}.tar.gz`;
const datasetPart = ({ sha256 }: Pick<StudyDataset, 'sha256'>) => `datasets/${sha256}.jsonl`;

/**
 * Writes a study with its runs and data sets as an archive to `file`. The same study gives the same
 * bytes.
 *
 * @throws Failure UnknownRun for a run that is not in the store.
 */
export async function writeStudyArchive(
  { study, definition, runs, datasets }: ArchivedStudy,
  file: string,
  source: ArchiveSource,
): Promise<void> {
  await withTemporaryFolder(async (folder) => {
    await mkdir(join(folder, 'runs'));
    await mkdir(join(folder, 'datasets'));
    await writeJson(join(folder, DEFINITION), definition, 2);
    for (const one of datasets) {
      await jsonLinesFile<DatasetRecord>(join(folder, datasetPart(one)), '').write(one.read());
    }
    for (const run of runs) await writeRunArchive(run, join(folder, runPart(run)), source);
    const others = [...new Set(datasets.map(datasetPart)), ...runs.map(runPart)];
    const parts = [CONTENTS_FILE, DEFINITION, ...others];
    const said: Contents = {
      format: STUDY_FORMAT,
      version: VERSION,
      study,
      runs: [...runs],
      datasets: datasets.map(({ read: _, ...one }) => one),
      parts: await hashesOf(folder, parts),
    };
    await writeJson(join(folder, CONTENTS_FILE), said, 2);
    await packArchive(folder, file, parts);
  });
}

/**
 * The contents of an unpacked archive of a study: its definition (null if unknown), the paths of
 * its runs' archives, and its data sets, whose records are read as a stream.
 */
export interface UnpackedStudy {
  study: string;
  definition: object | null;
  /** Names of its runs, and paths of their archives. */
  runs: readonly { run: string; file: string }[];
  datasets: readonly (StudyDataset & { read(): AsyncIterable<DatasetRecord> })[];
}

/**
 * Unpacks the archive of a study into a temporary folder, runs a function with its contents, and
 * returns the result. The folder is removed afterwards.
 *
 * @throws Failure BadInput for a file that is not the archive of a study or is of another version;
 * Damaged if a part of it is missing or has changed.
 */
export function withStudyArchive<T>(
  file: string,
  work: (study: UnpackedStudy) => Promise<T>,
): Promise<T> {
  return withTemporaryFolder(async (folder) => {
    await unpackArchive(file, folder, LAYOUT);
    const text = (part: string) => readFile(join(folder, part), 'utf8');
    const advice = 'Make the file anew.';
    const parsed = contents.safeParse(
      parseJsonFile(await text(CONTENTS_FILE), `${file}/${CONTENTS_FILE}`, advice),
    );
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new DamagedArchive(
        file,
        `${CONTENTS_FILE}, ${issue?.path.join('.')}: ${issue?.message}`,
        CONTENTS_FILE,
      );
    }
    const { version, study, runs, datasets, parts } = parsed.data;
    if (version !== VERSION) {
      throw badArchive(file, `is of version ${version}; this durable-rag reads ${VERSION}`);
    }
    const needed = [DEFINITION, ...new Set(datasets.map(datasetPart)), ...runs.map(runPart)];
    const altered = await alteredPart(folder, needed, parts).catch((error: unknown) => {
      if (errorCodeOf(error) !== 'ENOENT') throw error;
      throw new DamagedArchive(file, 'a part of it is missing');
    });
    if (altered) throw alteredArchive(file, altered);
    const definition = parseJsonFile<object | null>(
      await text(DEFINITION),
      `${file}/${DEFINITION}`,
      advice,
    );
    return work({
      study,
      definition,
      runs: runs.map((run) => ({ run, file: join(folder, runPart(run)) })),
      datasets: datasets.map((one) => ({
        ...one,
        async *read() {
          const records = jsonLinesFile<DatasetRecord>(join(folder, datasetPart(one)), advice);
          for await (const { record } of records.read(0)) yield record;
        },
      })),
    });
  });
}
