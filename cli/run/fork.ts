/** `durable-rag fork`: a run that takes from another one what a change leaves as it is. */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../core/canonical-json.js';
import { methodNamed } from '../../core/registry.js';
import { completedFork, type ForkInput, parseFork } from '../../core/run/fork-input.js';
import { openRun } from '../../evaluation/runs/run-source.js';
import { parseRunInput } from '../../workflows/methods.js';
import type { CliContext } from '../context.js';
import { namingFlags, type Typed } from '../flags.js';
import { methodsOf } from '../own-methods.js';
import { askRuns, type RunFlags } from './ask-runs.js';
import { printDryRun } from './dry-run.js';
import { withRuns } from './with-runs.js';

/**
 * Starts a fork, or joins it, and follows it to its end.
 *
 * @returns the exit code.
 * @throws Failure BadInput naming the flags that are wrong, before anything is started.
 */
export async function forkRun(
  parent: string,
  typed: Typed,
  { dryRun, ...flags }: RunFlags & { dryRun?: boolean | undefined },
  context: CliContext,
): Promise<number> {
  const spec = forkOf(parent, typed);
  const asked = await withRuns(context, async (runs) => {
    const there = await runs.manifest(spec.run);
    // Where the fork is there, the other run may be gone.
    const { input } = there ?? (await openRun(runs, parent)).manifest;
    const { steps } = methodNamed(input.method, methodsOf(context));
    return namingFlags(typed, () =>
      parseRunInput(completedFork(spec, input, steps), methodsOf(context)),
    );
  });
  if (dryRun) return printDryRun([{ spec: asked, isNamed: true }], context);
  return askRuns([{ spec, isNamed: true }], flags, context);
}

/**
 * Puts the input of a fork together from what was typed; without a name it has one that tells the
 * run, the step and the change, so that the same command joins it.
 *
 * @throws Failure BadInput naming the flags that are wrong.
 */
export function forkOf(parent: string, { fields, nameOf }: Typed): ForkInput {
  const { fork, models, prompts, outputs, run, ...given } = fields;
  const asked = { ...Object(fork), run: parent };
  const at = asked.at ?? 'default';
  const ofStep = (value: unknown) => value !== undefined && { [at]: value };
  const change = {
    fork: asked,
    ...(models !== undefined && { models: ofStep(models) }),
    ...(prompts !== undefined && { prompts: ofStep(prompts) }),
    ...(outputs !== undefined && { outputs: ofStep(outputs) }),
  };
  const { options, sample, sampleSeed } = given;
  const hash = createHash('sha256')
    .update(canonicalJson({ ...change, options, sample, sampleSeed }))
    .digest('hex');
  const name = run ?? `${parent}-${asked.at ?? 'fork'}-${hash.slice(0, HASH_DIGITS)}`;
  return namingFlags({ nameOf }, () => parseFork({ ...given, ...change, run: name }));
}

const HASH_DIGITS = 8;
