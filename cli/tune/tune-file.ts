/** Reads a tune file, and stores the questions that it names. */
import { dirname } from 'node:path';
import { parseTune, type TuneInput } from '../../core/tune/tune.js';
import { studyOfTune } from '../../core/tune/tune-runs.js';
import { inFile } from '../../stores/text-file.js';
import type { CliContext } from '../context.js';
import { parsedYaml } from '../study/plain-yaml.js';
import { type StudyFile, storeDatasets, storedIn, studyOf } from '../study/study-file.js';

export interface TuneFile {
  input: TuneInput;
  /** The data sets that it names; undefined if it names none. */
  datasets: StudyFile | undefined;
  /** Folder of the file, into which what is shown is written. */
  folder: string;
  /** Returns an error; of a BadInput one that names the file and the line. */
  named(error: unknown): unknown;
}

/** Returns a checked tune file. @throws Failure BadInput naming the file and every field of it that is wrong. */
export function readTuneFile(file: string, context: CliContext): Promise<TuneFile> {
  return parsedYaml(file, (value, withLines) => {
    const read = tuneOf(value as TuneInput, dirname(file), context);
    return { ...read, named: (error) => inFile(withLines(error), file) };
  });
}

/**
 * Returns a checked tune with its data sets.
 *
 * @param folder Folder to which the paths of its data sets are relative.
 * @throws Failure BadInput naming every field that is wrong.
 */
export function tuneOf(input: TuneInput, folder: string, context: CliContext): TuneFile {
  const study = studyOfTune(parseTune(input));
  return {
    input,
    datasets: study && studyOf(study, folder, context),
    folder,
    named: (error) => error,
  };
}

/** Stores the questions of a tune's data sets, and returns references to them. */
export async function storeTune(
  { datasets }: TuneFile,
  context: CliContext,
): Promise<{ names: ReadonlyMap<string, string>; stored: string[] }> {
  if (!datasets) return { names: new Map(), stored: [] };
  return { names: await storeDatasets(datasets, context), stored: storedIn(datasets) };
}
