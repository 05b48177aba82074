/** `tune table`, and the parts of other commands that show stored tunes. */
import type { OfflinePorts } from '../../activities/runtime/ports.js';
import { promptFileOf } from '../../activities/runtime/template.js';
import { planOfTune, readTune, type TuneResults } from '../../activities/tune/read-tune.js';
import { command } from '../../core/command.js';
import { promptsFor } from '../../core/step-models.js';
import type { TunePlan } from '../../core/tune/tune-runs.js';
import type { TableFormat } from '../../evaluation/study/render-table.js';
import {
  paidBackText,
  renderTune,
  type TuneTable,
  winnerOf,
} from '../../evaluation/tune/tune-table.js';
import type { RunManifest } from '../../stores/runs/run-store.js';
import type { CliContext } from '../context.js';
import { print } from '../print.js';
import type { CommandOutput } from '../print-output.js';
import { withPlanPorts } from '../run/plan-ports.js';
import { withRuns } from '../run/with-runs.js';

/**
 * Reads a stored tune, and returns it (`read`) with the lines of its table (`lines`) and with a
 * map of the prompts that were written for its winner: texts by the names of their files
 * (`prompts`; empty without a winner).
 *
 * @throws Failure UnknownRun if none of its runs is kept.
 * @param format Format of the table.
 */
export async function readStoredTune(
  name: string,
  context: CliContext,
  format: TableFormat = 'text',
): Promise<{ read: TuneResults; lines: string[]; prompts: ReadonlyMap<string, string> }> {
  const { read, prompts } = await withPlanPorts(context, undefined, async (ports) => {
    const read = await readTune(await planOfTune(name, ports), ports);
    return { read, prompts: await newPrompts(read, ports) };
  });
  const winner = winnerOf(read.table);
  const paid = winner && paidBackText(read.table, winner, read.spentUsd);
  const shown = renderTune(read.table, format).trimEnd();
  return { read, lines: [shown, ...(paid && format === 'text' ? [paid] : [])], prompts };
}

/**
 * Returns the prompts of the tune's winner that were written for the tune, by the names of their
 * files; empty without a winner.
 */
async function newPrompts(
  { table, pipelines, plan }: TuneResults,
  { prompts }: Pick<OfflinePorts, 'prompts'>,
): Promise<ReadonlyMap<string, string>> {
  const winner = winnerOf(table);
  const sets = winner && pipelines.get(winner.candidate)?.prompts;
  const written = (plan.proposed ?? []).flatMap((round) => round.written);
  const texts = new Map<string, string>();
  for (const { step, file, set } of sets ? written : []) {
    if (!sets || promptsFor(step, sets) !== set) continue;
    texts.set(file, promptFileOf(await prompts.load(set, file)));
  }
  return texts;
}

/**
 * Prints the table of a stored tune to standard output, in a format. Returns an empty output, since
 * all is printed.
 *
 * @throws Failure UnknownRun if none of its runs is kept.
 */
export async function printTuneTable(
  name: string,
  { format }: { format: TableFormat },
  context: CliContext,
): Promise<CommandOutput> {
  const { lines } = await readStoredTune(name, context, context.json ? 'json' : format);
  print(lines.join('\n'));
  return {};
}

/**
 * Returns those of the names that are names of tunes rather than of runs and studies.
 *
 * @param manifests Manifests of all stored runs.
 */
export function tunesAmong(
  names: readonly string[],
  manifests: readonly Pick<RunManifest, 'input'>[],
): string[] {
  const isTune = (name: string) =>
    manifests.some(({ input: { study } }) => study?.name === name && study.tune !== undefined);
  return names.filter(isTune);
}

/**
 * Returns the name of the stored run that a tune starts from; undefined for a study, and for a tune
 * that asks its start itself.
 *
 * @param manifests Manifests of its runs.
 */
export function storedStart(manifests: readonly Pick<RunManifest, 'input'>[]): string | undefined {
  for (const { input } of manifests) {
    const plan = input.study?.tune as TunePlan | undefined;
    if (plan && 'kept' in plan.start) return plan.start.kept;
  }
  return undefined;
}

/**
 * Returns an array with the table, as data, of each of the names that is a tune, for a report of
 * their runs.
 */
export async function tuneTables(
  names: readonly string[],
  context: CliContext,
): Promise<TuneTable[]> {
  const tunes = await withRuns(context, async (runs) => tunesAmong(names, await runs.list()));
  const tables: TuneTable[] = [];
  for (const name of tunes) tables.push((await readStoredTune(name, context)).read.table);
  return tables;
}

/**
 * Returns the warning to print beside figures of a tune's candidates that are not from the tune's
 * own table: they are biased upwards, since the candidates were chosen by the same questions.
 *
 * @param tune Name of the tune.
 */
export function tuneWarning(tune: string): string {
  return `${tune} is a tune. Its candidates were chosen by half A, so these figures are biased upwards: ${command('tune', 'table', tune)} tells what half B shows.`;
}
