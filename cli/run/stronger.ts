/** `durable-rag explain --stronger`: what another model recovers at each step, by forks of the run. */

import { methodNamed } from '../../core/registry.js';
import { completedFork } from '../../core/run/fork-input.js';
import { paidCalls } from '../../core/usage.js';
import { paidText, percent, plural, points, pValue } from '../../evaluation/runs/numbers.js';
import { type Recovered, recoveredBy } from '../../evaluation/runs/recovered.js';
import { openRun } from '../../evaluation/runs/run-source.js';
import { callsOf } from '../../stores/runs/call-records.js';
import type { RunStore } from '../../stores/runs/run-store.js';
import { parseRunInput } from '../../workflows/methods.js';
import type { CliContext } from '../context.js';
import { nothingTyped } from '../flags.js';
import { methodsOf } from '../own-methods.js';
import { completeRun } from './ask-runs.js';
import { printDryRun } from './dry-run.js';
import { forkOf } from './fork.js';
import { withRuns } from './with-runs.js';

export interface StrongerFlags {
  /** The model that each step is asked anew with, alone. */
  stronger: string;
  /** How many questions are drawn; the same ones for each step. */
  sample?: number | undefined;
  /** US dollars that each of the forks may take. */
  budgetUsd?: number | undefined;
}

/** Counts the calls of the forks, and starts none. @returns the exit code. */
export async function planStronger(
  run: string,
  flags: StrongerFlags,
  context: CliContext,
): Promise<number> {
  const asked = await withRuns(context, async (runs) => {
    const { input } = (await openRun(runs, run)).manifest;
    const { steps } = methodNamed(input.method, methodsOf(context));
    return (await forksOf(run, flags, runs, context)).map(({ spec }) => ({
      spec: parseRunInput(completedFork(spec, input, steps), methodsOf(context)),
      isNamed: true,
    }));
  });
  return printDryRun(asked, context);
}

/**
 * Forks the run at each step that it has asked, one after the other, or goes on with these forks.
 *
 * @throws CommandFailure where one of them failed, was stopped, or is paused for good.
 */
export async function askStronger(
  run: string,
  flags: StrongerFlags,
  context: CliContext,
): Promise<Recovered[]> {
  const forks = await withRuns(context, (runs) => forksOf(run, flags, runs, context));
  for (const { spec } of forks) await completeRun(spec, context);
  return withRuns(context, async (runs) => {
    const opened = forks.map(async ({ step, spec }) => ({
      step,
      source: await openRun(runs, spec.run),
    }));
    return recoveredBy(await openRun(runs, run), await Promise.all(opened));
  });
}

/** A fork for each step that the records of the run have, in the order of the method's steps. */
async function forksOf(
  run: string,
  { stronger, sample, budgetUsd }: StrongerFlags,
  runs: RunStore,
  context: CliContext,
) {
  const { manifest, questions, answer } = await openRun(runs, run);
  const asked = new Set<string>();
  for await (const { id } of questions()) {
    const kept = await answer(id);
    for (const { step } of (kept && callsOf(kept)) ?? []) asked.add(step);
  }
  const steps = methodNamed(manifest.input.method, methodsOf(context)).steps ?? [];
  return steps
    .filter((step) => asked.has(step))
    .map((at) => {
      const fields = {
        ...{ fork: { at }, models: stronger },
        ...(sample !== undefined && { sample }),
        ...(budgetUsd !== undefined && { budgetUsd }),
      };
      return { step: at, spec: forkOf(run, { ...nothingTyped, fields }) };
    });
}

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
