/** `durable-rag compare`: runs side by side. It reads what is kept, and needs no worker. */

import { command } from '../../core/command.js';
import { comparisonJson } from '../../evaluation/runs/comparison-json.js';
import { comparisonText } from '../../evaluation/runs/comparison-text.js';
import { evaluateRuns } from '../../evaluation/runs/evaluate-runs.js';
import { openRuns } from '../../evaluation/runs/run-source.js';
import type { CliContext } from '../context.js';
import type { Output } from '../output.js';
import { withRuns } from './with-runs.js';

export interface CompareFlags {
  baseline?: string | undefined;
  metric?: readonly string[] | undefined;
  margin?: number | undefined;
  by?: string | undefined;
  cluster?: string | undefined;
}

/** Tells runs side by side, and what they differ by, no wider than the terminal. */
export async function compareRuns(
  names: readonly string[],
  { baseline, metric, margin, by, cluster }: CompareFlags,
  context: CliContext,
): Promise<Output> {
  const evaluation = await withRuns(context, async (runs) =>
    evaluateRuns(await openRuns(runs, names), { baseline, metrics: metric, margin, by, cluster }),
  );
  const against = baseline === undefined ? [] : ['--baseline', baseline];
  const tested = metric === undefined ? [] : ['--metric', metric.join(',')];
  return {
    value: comparisonJson(evaluation),
    text: comparisonText(evaluation, process.stdout.columns),
    next: command('report', ...names, ...against, ...tested),
  };
}
