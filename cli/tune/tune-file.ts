/** Reads a tune file, and stores the questions that it names. */
import { dirname } from 'node:path';
import { parseTune, type TuneInput } from '../../core/tune/tune.js';
import { studyOfTune } from '../../core/tune/tune-runs.js';
import { inFile } from '../../stores/text-file.js';
import type { CliContext } from '../context.js';
import { parsedYaml } from '../study/plain-yaml.js';
import {
  type CheckedStudy,
  checkedStudy,
  storeDatasets,
  storedReferences,
} from '../study/study-file.js';

/**
 * A checked tune that was read from a file or made from flags: its input, its data sets, and the
 * folder for its result.
 */
export interface CheckedTune {
  input: TuneInput;
  /** The data sets that it names, as a study; undefined if it names none. */
  datasets: CheckedStudy | undefined;
  /** Folder of the file, into which the result is written. */
  folder: string;
  /**
   * Returns an error unchanged, except a BadInput: its message is reworded to name the file and the
   * line.
   */
  named(error: unknown): unknown;
}

/**
 * Returns the tune in a YAML or JSON file, after checking it.
 *
 * @throws Failure BadInput naming the file and every field of it that is wrong.
 */
export function readTuneFile(file: string, context: CliContext): Promise<CheckedTune> {
  return parsedYaml(file, (value, withLines) => {
    const read = checkedTune(value as TuneInput, dirname(file), context);
    return { ...read, named: (error) => inFile(withLines(error), file) };
  });
}

/**
 * Returns a tune in the form of one that was read from a file, after checking it. Its data sets
 * are neither read nor stored.
 *
 * @param folder Folder to which the paths of its data sets are relative.
 * @throws Failure BadInput naming every field that is wrong.
 */
export function checkedTune(input: TuneInput, folder: string, context: CliContext): CheckedTune {
  const study = studyOfTune(parseTune(input));
  return {
    input,
    datasets: study && checkedStudy(study, folder, context),
    folder,
    named: (error) => error,
  };
}

/**
 * Stores the questions of a tune's data sets that are files. Returns `names`, the references to
 * them by label, and `stored`, the references to data sets that had been stored and that the tune
 * itself names.
 */
export async function storeTune(
  { datasets }: CheckedTune,
  context: CliContext,
): Promise<{ names: ReadonlyMap<string, string>; stored: string[] }> {
  if (!datasets) return { names: new Map(), stored: [] };
  return { names: await storeDatasets(datasets, context), stored: storedReferences(datasets) };
}
