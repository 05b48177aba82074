/** `durable-rag train-data`: runs Chain-of-Note, and writes its notes as fine-tuning files. */

import { basename } from 'node:path';
import { writeTrainingData } from '../../client/training-data.js';
import { type TrainingRun, trainingRun } from '../../client/training-run.js';
import { sha256Of } from '../../core/sha256.js';
import { openRun } from '../../evaluation/runs/run-source.js';
import { parseRunInput } from '../../interpreters/methods.js';
import type { CliContext } from '../context.js';
import { namingFlags, type TypedInput } from '../flags.js';
import { printJson } from '../print.js';
import { storeInputDataset } from '../stored-dataset.js';
import { completeRun } from './ask-runs.js';
import { withResults } from './with-runs.js';

/**
 * Makes training data for Chain-of-Note: asks a model to write notes about the passages of every
 * question that has none yet or has failed, writes all notes as training files into a folder, and
 * prints a summary as JSON. After an interruption, the same command continues. Returns exit code
 * 0.
 *
 * @param out Path of the folder.
 */
export async function trainData(
  out: string,
  typed: TypedInput,
  context: CliContext,
): Promise<number> {
  const { options, run = nameOf(out), ...fields } = typed.fields;
  const { passages } = Object(options) as Pick<TrainingRun, 'passages'>;
  const input = { ...fields, run, passages } as TrainingRun;
  const asked = namingFlags(typed, () => parseRunInput(trainingRun(input)));
  const spec = await storeInputDataset(asked, context);
  await completeRun(spec, context);
  const summary = await withResults(context, async (results) => {
    const run = await openRun(results.runs, spec.run);
    return writeTrainingData(run, out, results);
  });
  printJson(summary, 2);
  return 0;
}

/**
 * Returns the name of the run for a folder. The same folder gives the same name, so that a folder
 * contains the data of one run.
 */
function nameOf(folder: string): string {
  const readable = basename(folder)
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, 60);
  const hash = sha256Of(folder, 6);
  return `train-${readable}-${hash}`;
}
