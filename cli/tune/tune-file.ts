/** Reads a tune file, and stores the questions that it names. */
import { dirname } from 'node:path';
import { studyOfTune } from '../../core/tune/runs.js';
import { parseTune, type TuneInput } from '../../core/tune/tune.js';
import { parsedFile } from '../../stores/text-file.js';
import type { CliContext } from '../context.js';
import { plainYaml } from '../study/plain-yaml.js';
import { type StudyFile, storeDatasets, storedIn, studyOf } from '../study/study-file.js';

export interface TuneFile {
  input: TuneInput;
  /** The data sets that it names; undefined if it names none. */
  datasets: StudyFile | undefined;
}

/** @throws Failure BadInput naming the file and every field of it that is wrong. */
export function readTuneFile(file: string, context: CliContext): Promise<TuneFile> {
  return parsedFile(file, (text) => tuneOf(plainYaml(text) as TuneInput, dirname(file), context));
}

/**
 * Checks a tune.
 *
 * @param folder From which the files of its data sets are named.
 * @throws Failure BadInput naming every field that is wrong.
 */
export function tuneOf(input: TuneInput, folder: string, context: CliContext): TuneFile {
  const study = studyOfTune(parseTune(input));
  return { input, datasets: study && studyOf(study, folder, context) };
}

/** Stores the questions of its data sets, and returns their names in the store. */
export async function storeTune(
  { datasets }: TuneFile,
  context: CliContext,
): Promise<{ names: ReadonlyMap<string, string>; stored: string[] }> {
  if (!datasets) return { names: new Map(), stored: [] };
  return { names: await storeDatasets(datasets, context), stored: storedIn(datasets) };
}
