/** `durable-rag compare`: runs side by side. It reads what is kept, and needs no worker. */

import { command } from '../../core/command.js';
import { comparisonJson } from '../../evaluation/runs/comparison-json.js';
import { comparisonText } from '../../evaluation/runs/comparison-text.js';
import { evaluateRuns } from '../../evaluation/runs/evaluate-runs.js';
import { openRuns } from '../../evaluation/runs/run-source.js';
import type { CliContext } from '../context.js';
import { EXIT } from '../exit-codes.js';
import { sayNext, show } from '../output.js';
import { withRuns } from './with-runs.js';

/** Prints runs side by side, and what they differ by. */
export async function compareRuns(
  names: readonly string[],
  { baseline }: { baseline?: string | undefined },
  context: CliContext,
): Promise<number> {
  const evaluation = await withRuns(context, async (runs) =>
    evaluateRuns(await openRuns(runs, names), { baseline }),
  );
  show(context, comparisonJson(evaluation), comparisonText(evaluation));
  const against = baseline === undefined ? [] : ['--baseline', baseline];
  sayNext(context, command('report', ...names, ...against));
  return EXIT.ok;
}
