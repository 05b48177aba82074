/** `durable-rag rescore`: scores the answers of a stored run again with the current metrics. */

import type { Results } from '../../client/open-results.js';
import { type Rescoring, rescoreRun, type ScoringChanges } from '../../client/rescore.js';
import { command } from '../../core/command.js';
import { Failure } from '../../core/failure.js';
import { type DatasetInput, splitReading } from '../../core/run/dataset-input.js';
import { judgeModel } from '../../core/step-models.js';
import { plural } from '../../evaluation/runs/number-text.js';
import { metricChanges, metricChangesText } from '../../evaluation/runs/rescored.js';
import { figuresOf, type RunFigures } from '../../evaluation/runs/run-figures.js';
import { openRun } from '../../evaluation/runs/run-source.js';
import { keptTexts } from '../../evaluation/runs/unscored-text.js';
import { parseRunInput } from '../../interpreters/methods.js';
import { withPredictions } from '../../interpreters/predictions.js';
import { copyRun } from '../../stores/runs/copy-run.js';
import type { RunManifest } from '../../stores/runs/run-store.js';
import type { CliContext } from '../context.js';
import type { TypedInput } from '../flags.js';
import { methodsOf } from '../own-methods.js';
import { type CommandOutput, printOutput } from '../print-output.js';
import { noneIfUnreachable, serverSession } from '../session.js';
import { storeInputDataset, withDatasets } from '../stored-dataset.js';
import { completeRun } from './ask-runs.js';
import { withResults, withRuns } from './with-runs.js';

interface RescoreFlags {
  /**
   * Whether to show the changes without storing them. A data set that is named by its file is
   * stored all the same.
   */
  dryRun?: boolean | undefined;
  /** Name of a copy that is scored instead of the run. */
  name?: string | undefined;
}

/** Fields that were typed. */
type Fields = Partial<DatasetInput> & Omit<ScoringChanges, 'dataset'>;

/**
 * Scores a stored run again, shows old and new scores side by side, and stores the new ones: in the
 * run, or with `name` in a copy of that name. A dry run stores no scores. Calls no model except the
 * judge, if one is named, for answers that it has not judged; for these calls the run is started,
 * and the scores are shown afterwards. Returns the next step as the command's output; for a dry run
 * nothing.
 *
 * @throws Failure UnknownRun; Conflict while the run, or another run called `name`, is under way.
 */
export async function rescoreStoredRun(
  run: string,
  { dryRun = false, name }: RescoreFlags,
  typed: Pick<TypedInput, 'fields'>,
  context: CliContext,
): Promise<CommandOutput> {
  const { reading, asked: told } = splitReading(typed.fields as Fields);
  const { dataset, ...asked } = told;
  if (await isUnderWay(run, context)) throw underWay(run);
  const found = await withResults(context, async (results) => {
    const { runs, texts } = results;
    const wanted = { ...asked, ...(asked.judge !== undefined && { prompts: results.prompts }) };
    const { requireAnswers } = (await openRun(runs, run)).manifest.input;
    const given = dataset !== undefined && { dataset, ...reading, requireAnswers };
    const stored = given && (await storeInputDataset(given, context)).dataset;
    return withDatasets(context, async (datasets) => {
      const gold = typeof stored === 'string' ? { dataset: await datasets.find(stored) } : {};
      const { methods, metrics } = context.config ?? {};
      const plan = (of: string) =>
        rescoreRun(of, { ...wanted, ...gold }, { runs, texts, datasets, methods, metrics });
      const planned = await plan(run);
      const asks = asked.judge !== undefined && planned.toJudge.answers > 0 && !dryRun;
      printJudging(planned, context);
      if (!asks) showChanges(planned, planned.after, name ?? run, dryRun, context);
      if (dryRun) return { ...planned, asks };
      if (name === undefined) {
        await planned.write();
        return { ...planned, asks };
      }
      // The copy's answers are being judged; the same command joins that.
      const isJudged = await isUnderWay(name, context);
      if (isJudged && !asks) throw underWay(name);
      await copyRun(run, name, results, copyingTexts(run, name, results));
      const copy = await plan(name);
      if (!isJudged) await copy.write();
      return { ...copy, asks };
    });
  });
  const { manifest, toJudge, asks } = found;
  if (asks) showChanges(found, await judged(manifest, context), name ?? run, dryRun, context);
  if (dryRun) return {};
  const { judge } = manifest.input;
  const isOpen = toJudge.answers > 0 && !asks && judge !== undefined;
  const judging = ['rescore', manifest.run, '--judge', judge ? judgeModel(judge) : ''];
  const looking = name === undefined ? ['report', run] : ['compare', name, run];
  return { next: command(...(isOpen ? judging : looking)) };
}

/**
 * Returns whether a run is under way; false if no server answers. Its workers would store their own
 * scores.
 */
async function isUnderWay(run: string, context: CliContext): Promise<boolean> {
  const session = await serverSession(context).catch(noneIfUnreachable);
  if (!session) return false;
  const summary = await session.client.describeRun(run).finally(() => session.close());
  return summary?.status === 'RUNNING';
}

function underWay(run: string): Failure {
  const end = `wait for its end ("${command('attach', run)}")`;
  const what = `The run "${run}" is under way: ${end}, or "${command('cancel', run)}" first.`;
  return new Failure('Conflict', what);
}

/** Returns a function that copies the imported texts of a run's passages to a copy of the run. */
function copyingTexts(run: string, name: string, { imported }: Pick<Results, 'imported'>) {
  return async (ids: readonly string[]) => {
    for (const [id, text] of await imported.get(run, ids)) await imported.keep(name, id, text);
  };
}

/** Prints how many answers the judge must score, and the most calls for that. */
function printJudging({ toJudge, manifest }: Rescoring, { reporter }: CliContext): void {
  const { answers, mostCalls } = toJudge;
  if (answers === 0) return;
  const { judge } = manifest.input;
  const by = judge ? ` by ${judgeModel(judge)}` : '';
  const calls = `${plural(mostCalls, 'call')} at most`;
  reporter.part('To judge', `${plural(answers, 'answer')}${by}, ${calls}`);
}

/** Prints the changes of the metrics, and the answers whose scores are kept. */
function showChanges(
  { differences, kept, toJudge, manifest, before }: Rescoring,
  after: RunFigures,
  run: string,
  dryRun: boolean,
  context: CliContext,
): void {
  const metrics = metricChanges(before, after);
  const lines = [...differences, ...keptTexts(kept, manifest.metrics)];
  const text = [metricChangesText(metrics), ...lines].join('\n');
  printOutput(context, { value: { run, dryRun, differences, metrics, kept, toJudge }, text });
}

/**
 * Starts the run for the judge's missing verdicts only, and returns the run's figures with them.
 */
async function judged({ run, input }: RunManifest, context: CliContext): Promise<RunFigures> {
  const kept = parseRunInput(input, withPredictions(methodsOf(context)));
  const { dataset } = input;
  const spec = { ...kept, dataset, onlyJudge: true, acceptChange: true };
  const { judge } = await completeRun(spec, context);
  if (judge?.failed) {
    const failed = plural(judge.failed, 'answer');
    context.reporter.warn(`${failed} could not be judged: the same command asks again.`);
  }
  return withRuns(context, async (runs) => figuresOf(await openRun(runs, run)));
}
