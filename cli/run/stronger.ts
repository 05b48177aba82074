/**
 * Forks a run at each of its steps, for `durable-rag explain`, and measures how many answers become
 * right.
 */

import { methodNamed } from '../../core/method-registry.js';
import type { ForkInput } from '../../core/run/fork-input.js';
import { paidCalls } from '../../core/usage.js';
import { paidText, percent, plural, points, pValue } from '../../evaluation/runs/number-text.js';
import { type Recovered, recoveredBy } from '../../evaluation/runs/recovered.js';
import { answersOf, openRun } from '../../evaluation/runs/run-source.js';
import { refusePredictions } from '../../interpreters/predictions.js';
import { callsOf } from '../../stores/runs/call-records.js';
import type { RunStore } from '../../stores/runs/run-store.js';
import type { CliContext } from '../context.js';
import { nothingTyped, type TypedInput } from '../flags.js';
import { methodsOf } from '../own-methods.js';
import type { CommandOutput } from '../print-output.js';
import { completeRun } from './ask-runs.js';
import { showDryRun } from './dry-run.js';
import { forkOf, wholeFork } from './fork.js';
import { withRuns } from './with-runs.js';

/**
 * Flags that limit each of the forks of `explain`: the number of questions and the cost in US
 * dollars.
 */
export interface StepForkFlags {
  /** Number of questions that each fork asks, the same ones for each step; all if undefined. */
  sample?: number | undefined;
  /** US dollars that each fork may cost. */
  budgetUsd?: number | undefined;
}

/** The fork of a run at one step. */
interface StepFork {
  step: string;
  spec: ForkInput;
}

/**
 * Returns a list with, for each step in order, its name (`step`) and the input of a fork of the
 * run at that step (`spec`). Starts none.
 *
 * @param change Returns the fields by which the fork at a step differs from the run.
 */
export function stepForks(
  run: string,
  steps: readonly string[],
  { sample, budgetUsd }: StepForkFlags,
  change: (at: string) => TypedInput['fields'],
): StepFork[] {
  return steps.map((step) => {
    const fields = {
      ...change(step),
      ...(sample !== undefined && { sample }),
      ...(budgetUsd !== undefined && { budgetUsd }),
    };
    return { step, spec: forkOf(run, { ...nothingTyped, fields }) };
  });
}

/**
 * Returns the output of a dry run: the plans of forks, as lines, and as JSON an object for one
 * fork or an array for several. Starts none.
 */
export async function planForks(
  run: string,
  forks: readonly StepFork[],
  context: CliContext,
): Promise<CommandOutput> {
  const manifest = await withRuns(context, async (runs) => (await openRun(runs, run)).manifest);
  refusePredictions(manifest);
  const { input } = manifest;
  const asked = forks.map(({ spec }) => ({ spec: wholeFork(spec, input, context), isNamed: true }));
  return showDryRun(asked, context);
}

/**
 * Runs the forks one after the other, or continues them, and returns for each step, in their
 * order, how many wrong answers there were (`wrong`), the share of them that became right with its
 * interval (`recovered`, as fractions), how many right ones became wrong (`broken`), and the
 * tokens and cost (`took`).
 *
 * @throws CommandFailure if one of them failed, was stopped, or needs a person to continue.
 */
export async function askStronger(
  run: string,
  forks: readonly StepFork[],
  context: CliContext,
): Promise<Recovered[]> {
  for (const { spec } of forks) await completeRun(spec, context);
  return withRuns(context, async (runs) => {
    const opened = forks.map(async ({ step, spec }) => ({
      step,
      source: await openRun(runs, spec.run),
    }));
    return recoveredBy(await openRun(runs, run), await Promise.all(opened));
  });
}

/**
 * Returns the names of the steps that a run's records contain, in the order in which its method
 * lists them.
 */
export async function recordedSteps(
  run: string,
  runs: RunStore,
  context: CliContext,
): Promise<string[]> {
  const source = await openRun(runs, run);
  const asked = new Set<string>();
  for await (const { answer } of answersOf(source)) {
    for (const { step } of callsOf(answer) ?? []) asked.add(step);
  }
  const { steps = [] } = methodNamed(source.manifest.input.method, methodsOf(context));
  return steps.filter((step) => asked.has(step));
}

/**
 * Returns a text: a heading, then a line for each step with the wrong answers that become right if
 * a stronger model takes over this step alone.
 */
export function strongerText(model: string, found: readonly Recovered[]): string {
  return [
    `Wrong answers that ${model} makes right at one step, in per cent; and right answers more, with Holm's correction over the steps`,
    ...found.map(stepText),
  ].join('\n');
}

function stepText({ step, questions, wrong, recovered, broken, more, took }: Recovered): string {
  if (!more) return `  ${step.padEnd(20)}  no question to compare`;
  const share = recovered
    ? `${percent(recovered.mean)} (${percent(recovered.low)} to ${percent(recovered.high)}) of ${wrong} wrong`
    : 'none was wrong';
  const difference = `${points(more.mean)} (${points(more.low)} to ${points(more.high)}) of ${plural(questions, 'question')}, p ${pValue(more.corrected)}`;
  const lost = broken > 0 ? `; ${broken} right no more` : '';
  return `  ${step.padEnd(20)}  ${share}; ${difference}${lost}; ${plural(paidCalls(took), 'paid call')}, ${paidText(took)}`;
}
