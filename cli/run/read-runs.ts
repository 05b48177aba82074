/** `durable-rag compare`: runs side by side. It reads what is kept, and needs no worker. */

import { command } from '../../core/command.js';
import { comparisonJson } from '../../evaluation/runs/comparison-json.js';
import { comparisonText } from '../../evaluation/runs/comparison-text.js';
import { evaluateRuns } from '../../evaluation/runs/evaluate-runs.js';
import { openRuns } from '../../evaluation/runs/run-source.js';
import type { CliContext } from '../context.js';
import type { Output } from '../output.js';
import { withRuns } from './with-runs.js';

/** Tells runs side by side, and what they differ by. */
export async function compareRuns(
  names: readonly string[],
  { baseline }: { baseline?: string | undefined },
  context: CliContext,
): Promise<Output> {
  const evaluation = await withRuns(context, async (runs) =>
    evaluateRuns(await openRuns(runs, names), { baseline }),
  );
  const against = baseline === undefined ? [] : ['--baseline', baseline];
  return {
    value: comparisonJson(evaluation),
    text: comparisonText(evaluation),
    next: command('report', ...names, ...against),
  };
}
