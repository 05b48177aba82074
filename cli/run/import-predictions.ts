/** `durable-rag import-predictions`: stores answers of another system as a run. Needs no server. */
import { basename } from 'node:path';
import { importPredictions, parsePredictionFields } from '../../client/import-predictions.js';
import { command } from '../../core/command.js';
import { Failure } from '../../core/failure.js';
import { NAME_PATTERN, NAME_RULE } from '../../core/name.js';
import { parseFields } from '../../evaluation/dataset/map-fields.js';
import { plural } from '../../evaluation/runs/number-text.js';
import type { CliContext } from '../context.js';
import { datasetFlag } from '../dataset-flag.js';
import type { CommandOutput } from '../print-output.js';
import { storeInputDataset, withDatasets } from '../stored-dataset.js';
import { withResults } from './with-runs.js';

interface PredictionsFlags {
  dataset: string;
  fields: string;
  /** Names a data set's own form, and its fields. */
  as?: string | undefined;
  datasetFields?: string | undefined;
  name?: string | undefined;
  system?: string | undefined;
  model?: string | undefined;
}

/**
 * Imports the answers of another system from a file as a run, and returns the output of the
 * command: as JSON an object with `file`, `run`, and the numbers of `questions`, `answers` and
 * `missing` answers. A data set that is a file is stored first. Warns about questions without an
 * answer, which count as failed.
 *
 * @throws Failure BadInput for an invalid name of the run and for a bad data set; and as
 * `importPredictions`.
 */
export async function importPredicted(
  file: string,
  { dataset, as, datasetFields, name, system, model, ...flags }: PredictionsFlags,
  context: CliContext,
): Promise<CommandOutput> {
  const fields = parsePredictionFields(flags.fields);
  const run = name ?? basename(file).replace(/(?:\.[A-Za-z]\w*)+$/, '');
  if (!NAME_PATTERN.test(run))
    throw new Failure('BadInput', `--name: ${JSON.stringify(run)} ${NAME_RULE}`);
  const about = { dataset: datasetFlag(dataset), ...(as && { as }) };
  const given = { ...about, ...(datasetFields && { fields: parseFields(datasetFields) }) };
  const stored = (await storeInputDataset(given, context)).dataset as string;
  const summary = await withResults(context, ({ runs, naming }) =>
    withDatasets(context, async (datasets) => {
      const input = { run, system: system ?? run, model, fields };
      const { metrics } = context.config ?? {};
      const { signal } = context;
      return importPredictions(
        file,
        { ...input, dataset: await datasets.find(stored) },
        { runs, naming, datasets, metrics, signal },
      );
    }),
  );
  const { questions, answers, missing } = summary;
  if (answers < questions) {
    const named = missing.map((id) => JSON.stringify(id)).join(', ');
    const which = `${plural(questions - answers, 'question')} have no answer in ${basename(file)}`;
    context.reporter.warn(`${which} and count as failed, such as ${named}.`);
  }
  return {
    value: { file, run, questions, answers, missing: questions - answers },
    text: `${run}: ${answers} answers to ${plural(questions, 'question')}`,
    next: command('compare', run, '...'),
  };
}
