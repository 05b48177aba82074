/** `tune run` and `advise`: estimates, runs and reports a tune. */
import type { StudyHandle } from '../../client/study.js';
import { parseTune } from '../../core/tune/tune.js';
import { tunePlan } from '../../core/tune/tune-runs.js';
import { readDataset } from '../../evaluation/dataset/read-dataset.js';
import { snapshotRef } from '../../evaluation/dataset/snapshots.js';
import { type PlannedTune, planTune } from '../../interpreters/plan-tune.js';
import { closing } from '../closing.js';
import type { CliContext } from '../context.js';
import { localFile } from '../dataset-flag.js';
import type { CommandOutput } from '../print-output.js';
import { withPlanPorts } from '../run/plan-ports.js';
import { type Session, workerSession } from '../session.js';
import { endedOutput, followStudy } from '../study/run-study.js';
import { datasetFilesOf } from '../study/study-file.js';
import { withWorker } from '../with-worker.js';
import { describeChanges, describeTune } from './describe-tune.js';
import { type CheckedTune, storeTune } from './tune-file.js';

/**
 * Returns the output of a dry run: the calls and cost of a tune, and how small a gain it could
 * still prove; as JSON an object with the name (`tune`) and the plan's fields, as text lines. No
 * model is asked and no run or data set is stored; only a data set at an address is downloaded,
 * and a missing sample corpus is indexed.
 *
 * @throws Failure BadInput naming the file, line and field that is wrong.
 */
export async function dryRunTune(read: CheckedTune, context: CliContext): Promise<CommandOutput> {
  const tune = parseTune(read.input);
  const planned = await plannedTune(read, context);
  const lines = [...describeTune(tune, planned), ...describeChanges(planned)];
  return { value: { tune: tune.name, ...planned }, text: lines.join('\n') };
}

/**
 * Returns the plan of a tune.
 *
 * @throws Failure BadInput naming the file, line and field that is wrong.
 */
async function plannedTune(read: CheckedTune, context: CliContext): Promise<PlannedTune> {
  const { input, datasets, named } = read;
  const planning = withPlanPorts(context, undefined, async (ports) => {
    const names = new Map<string, string>();
    for (const { label, file, options } of datasets ? datasetFilesOf(datasets, context) : []) {
      const found = await localFile(file, context);
      const read = () => readDataset(found.file, options);
      // The ports write nothing but into memory.
      names.set(label, snapshotRef(await ports.datasets.put(read, found.file, found.source)));
    }
    return planTune(tunePlan(input, names), ports);
  });
  return planning.catch((error: unknown) => {
    throw named(error);
  });
}

/**
 * Prints the plan of a tune, stores the data sets that it names by a file, starts the tune or
 * joins it, and follows it to its end, or without a terminal to a pause. Returns the output of the
 * command: the result of a tune that has ended, otherwise its status. With `detach` returns at
 * once.
 *
 * @throws Failure BadInput before anything is asked, if it has too few questions to decide.
 */
export async function runTune(
  read: CheckedTune,
  { detach = false }: { detach?: boolean | undefined },
  context: CliContext,
): Promise<CommandOutput> {
  const tune = parseTune(read.input);
  const planned = await plannedTune(read, context);
  for (const line of describeTune(tune, planned)) context.reporter.part('Plan', line);
  const { names, stored } = await storeTune(read, context);
  const find = ({ client }: Session) => client.tune(read.input, names);
  const work = async (handle: StudyHandle, session: Session): Promise<CommandOutput> => {
    const progress = detach ? await handle.progress() : await followStudy(handle, session, context);
    return endedOutput(progress, read.folder, context);
  };
  if (!detach) return withWorker({ what: 'tune', find, stored }, context, work);
  return closing(workerSession(context), async (session) => work(await find(session), session));
}
