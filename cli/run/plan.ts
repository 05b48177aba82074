/** `durable-rag plan`: what a kept run would take again, as it is or with a change. */
import { openRun } from '../../evaluation/runs/run-source.js';
import type { CliContext } from '../context.js';
import type { Typed } from '../flags.js';
import { registered } from '../own-methods.js';
import { printDryRun } from './dry-run.js';
import { planInputs } from './eval-input.js';
import { withRuns } from './with-runs.js';

/**
 * Prints what a kept run would take again. Nothing is stored.
 *
 * @param typedOn Reads what was typed on top of the run's input.
 * @throws Failure UnknownRun.
 */
export async function planKept(
  name: string,
  typedOn: (input: Typed['fields']) => Promise<Typed>,
  context: CliContext,
): Promise<number> {
  const { manifest } = await withRuns(context, (runs) => openRun(runs, name));
  const runs = planInputs(await typedOn(manifest.input), name, registered(context));
  return printDryRun(runs, context, manifest);
}
