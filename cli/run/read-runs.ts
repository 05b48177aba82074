/** `durable-rag compare`: compares stored runs side by side. Needs no worker. */

import { command } from '../../core/command.js';
import type { CompareOptions } from '../../evaluation/runs/compare.js';
import { comparisonJson } from '../../evaluation/runs/comparison-json.js';
import { comparisonText } from '../../evaluation/runs/comparison-text.js';
import { evaluateRuns } from '../../evaluation/runs/evaluate-runs.js';
import { openRuns } from '../../evaluation/runs/run-source.js';
import type { CliContext } from '../context.js';
import type { CommandOutput } from '../print-output.js';
import { tunesAmong, tuneWarning } from '../tune/stored-tune.js';
import { withRuns } from './with-runs.js';

/**
 * Returns the output of `compare`: runs side by side, with their settings and with tests of their
 * differences. Warns about runs of tunes.
 *
 * @throws Failure UnknownRun.
 */
export async function compareRuns(
  names: readonly string[],
  compared: CompareOptions,
  context: CliContext,
): Promise<CommandOutput> {
  const evaluation = await withRuns(context, async (runs) => {
    for (const name of tunesAmong(names, await runs.list()))
      context.reporter.warn(tuneWarning(name));
    return evaluateRuns(await openRuns(runs, names), compared);
  });
  const { baseline, metrics, by, cluster } = compared;
  const flags = Object.entries({
    '--baseline': baseline,
    '--metric': metrics?.join(','),
    '--by': by,
    '--cluster': cluster,
  }).flatMap(([flag, value]) => (value === undefined ? [] : [flag, value]));
  return {
    value: comparisonJson(evaluation),
    text: comparisonText(evaluation, process.stdout.columns),
    next: command('report', ...names, ...flags),
  };
}
