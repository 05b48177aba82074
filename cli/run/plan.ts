/** `durable-rag plan`: what a kept run would take again, as it is or with a change. */
import { Failure } from '../../core/failure.js';
import { openRun } from '../../evaluation/runs/run-source.js';
import type { CliContext } from '../context.js';
import type { Typed } from '../flags.js';
import { methodsOf, metricsOf } from '../own-methods.js';
import { printDryRun } from './dry-run.js';
import { planInputs } from './eval-input.js';
import { withRuns } from './with-runs.js';

/**
 * Prints what a kept run would take again. Nothing is stored.
 *
 * @param typedOn Reads what was typed on top of the run's input.
 * @throws Failure UnknownRun; BadInput for a fork, whose calls are taken from another run.
 */
export async function planKept(
  name: string,
  typedOn: (input: Typed['fields']) => Promise<Typed>,
  context: CliContext,
): Promise<number> {
  const { manifest } = await withRuns(context, (runs) => openRun(runs, name));
  if (manifest.input.fork) {
    throw new Failure(
      'BadInput',
      `plan: ${name} is a fork, which takes its calls from the records of ${manifest.input.fork.run}; plan a run that is none.`,
    );
  }
  const registered = { methods: methodsOf(context), metrics: metricsOf(context) };
  const runs = planInputs(await typedOn(manifest.input), name, registered);
  return printDryRun(runs, context, manifest);
}
