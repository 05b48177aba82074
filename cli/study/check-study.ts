/** `study check`: tests whether a cell is worse than a stored run by more than a margin. */
import type { z } from 'zod';
import { Failure } from '../../core/failure.js';
import type { StudyProgress } from '../../core/study/cell.js';
import { checkUnchanged } from '../../evaluation/runs/run-parts.js';
import { openRun } from '../../evaluation/runs/run-source.js';
import { decidableMargin } from '../../evaluation/statistics/gate.js';
import type { CheckedGate } from '../../evaluation/study/gate-summaries.js';
import type { CliContext } from '../context.js';
import { EXIT } from '../exit-codes.js';
import type { checkFlags } from '../inputs.js';
import { printOutput } from '../print-output.js';
import { type GateFiles, gatesCode, reportGates } from '../run/score-gates.js';
import { withRuns } from '../run/with-runs.js';
import type { Session } from '../session.js';
import { withWorker } from '../with-worker.js';
import { followStudy, statusOutput } from './run-study.js';
import { type CheckedStudy, cellsIn, storeDatasets, storedReferences } from './study-file.js';

/** Arguments and flags of `study check`. */
interface Check extends GateFiles, z.output<typeof checkFlags> {
  cell: string;
  against: string;
}

/**
 * Fraction of the questions on which the two runs are assumed to differ, for the estimate before
 * the start.
 */
const DIFFER = 0.2;

/**
 * Asks questions of one cell of a study until it is shown whether its run is worse than a stored
 * run by more than the margin, or until questions or budget run out. Prints the result as a gate,
 * and returns its exit code: 0, 9 if it failed, or 10 if it is undecided. Without a terminal, a
 * study that pauses is cancelled; if it paused for another reason than its budget (exit code 5),
 * or a run failed (4), there is no gate. Called again, it asks only the questions that are not
 * answered yet.
 *
 * @throws Failure BadInput if the name matches no cell, or several, or if the stored run was
 * changed while it was under way; UnknownRun if there is no stored run of that name.
 */
export async function checkStudy(
  read: CheckedStudy,
  { cell: named, against, junit, markdown, margin, alpha, about }: Check,
  context: CliContext,
): Promise<number> {
  const labels = cellsIn(read, read.files, context);
  const fitting = labels.filter(({ method, dataset, model }) =>
    [method, `${method}.${dataset}`, `${method}.${dataset}.${model}`].includes(named),
  );
  const [cell] = fitting;
  if (!cell || fitting.length > 1) {
    const all = (cell ? fitting : labels).map((c) => `${c.method}.${c.dataset}.${c.model}`);
    const what = cell ? 'names several cells' : 'names no cell';
    throw new Failure('BadInput', `--cell: "${named}" ${what}: ${all.join(', ')}`);
  }
  const { questions } = await withRuns(context, async (store) => {
    const kept = await openRun(store, against);
    await checkUnchanged(kept);
    return kept.manifest;
  });
  const decidable = decidableMargin({ questions, alpha, about }, DIFFER);
  context.reporter.part(
    'Margin',
    `${questions} questions decide ${decidable === undefined ? 'no margin' : `one of ${(100 * decidable).toFixed(1)} points or more`}, where both are equally good and differ on a fifth of them`,
  );
  const datasets = await storeDatasets(read, context);
  const gate = { run: against, margin, alpha, about };
  const find = ({ client }: Session) => client.study(read.input, datasets, { cell, gate });
  const wanted = { what: 'study', find, stored: storedReferences(read) };
  return withWorker(wanted, context, async (handle, session) => {
    const progress = await followStudy(handle, session, context);
    if (progress.state === 'paused') {
      await handle.cancel();
      await handle.result().catch(() => {});
    }
    printOutput(context, statusOutput(progress));
    if (progress.pause && progress.pause.reason !== 'budget') return EXIT.paused;
    if (progress.runs.some(({ state }) => state === 'failed')) return EXIT.runFailed;
    const gates = [gateOf(progress, [cell.method, cell.dataset, cell.model].join(', '))];
    await reportGates('durable-rag study check', gates, { junit, markdown }, context);
    return gatesCode(gates, EXIT.ok);
  });
}

/** Returns the study's decision as the result of a gate. */
function gateOf({ decisions: [decision] = [] }: StudyProgress, cell: string): CheckedGate {
  if (!decision)
    return { name: cell, verdict: 'UNDECIDED', summary: 'no question has a score yet' };
  const { metric, verdict, summary } = decision;
  return { name: `${cell}: ${metric}`, verdict: verdict as CheckedGate['verdict'], summary };
}
