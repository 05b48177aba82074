/** `durable-rag papers`: reproduces a table of a paper. */
import { reproducedTable } from '../../evaluation/papers/made-table.js';
import { renderReproduced } from '../../evaluation/papers/render-made.js';
import type { TableFormat } from '../../evaluation/study/render-table.js';
import { runsOf, studyScores } from '../../evaluation/study/study-scores.js';
import type { CliContext } from '../context.js';
import { EXIT } from '../exit-codes.js';
import type { CommandOutput } from '../print-output.js';
import { withRuns } from '../run/with-runs.js';
import { cellsIn, surveyDatasets } from '../study/study-file.js';
import { type PaperFile, paperFile, tableName } from './paper-files.js';
import { type TableFlags, type TableStudy, tableStudy } from './paper-study.js';

/** Flags of `papers` for one table. */
interface MakeFlags extends TableFlags {
  format: TableFormat;
  dryRun?: boolean | undefined;
  detach?: boolean | undefined;
  /** Whether to ask nothing, and show the table from the stored answers. */
  kept?: boolean | undefined;
}

/**
 * Runs the study that reproduces a paper's table, and returns the output of the command: the table
 * with our figures beside the paper's. Questions that were answered before are not asked again;
 * with `kept`, none is asked. A dry run returns the plan instead, and a study that is detached or
 * paused returns its state.
 *
 * @throws Failure BadInput for an unknown paper or table, and for a table that cannot be
 * reproduced.
 */
export async function makeTable(
  paper: string,
  table: string,
  { format, dryRun, detach, kept, ...flags }: MakeFlags,
  context: CliContext,
): Promise<CommandOutput> {
  const file = await paperFile(paper, table);
  const made = await tableStudy(file, flags, context);
  for (const note of made.notes) context.reporter.part('Model', note);
  if (dryRun) return (await import('../study/dry-run-study.js')).dryRunStudy(made.read, context);
  if (kept) return shown(file, made, format, context);
  const ended = await (await import('../study/run-study.js')).runStudy(
    made.read,
    { detach },
    context,
  );
  if (detach || ended.code === EXIT.paused) return ended;
  return { ...(await shown(file, made, format, context)), code: ended.code ?? EXIT.ok };
}

/** Returns the table made from the stored answers, beside the paper's figures. */
async function shown(
  file: PaperFile,
  { read, modelFor, notes }: TableStudy,
  format: TableFormat,
  context: CliContext,
): Promise<CommandOutput> {
  const { name, baseline, metrics } = read.study;
  const cells = cellsIn(read, await surveyDatasets(read, context), context);
  return withRuns(context, async (store) => {
    const study = { name, baseline, metrics, cells };
    const scores = await studyScores(study, runsOf(store));
    const { by, above, rows, columns } = file.layout;
    const named = by ?? above;
    const isThere = scores.cells.some(
      (cell) => cell.fields?.has(by ?? '') || cell.metrics.some(({ metric }) => metric === named),
    );
    const values = [...rows, ...columns].flatMap(({ slice }) => slice ?? []).map(Number);
    const parts = above === undefined ? { by } : { above: { metric: above, values } };
    const slices = isThere ? (await studyScores(study, runsOf(store), parts)).slices : [];
    const table = reproducedTable(file.layout, {
      paper: file.of.name,
      name: tableName(file.table),
      study: name,
      cells: scores.cells,
      slices,
      modelFor,
      notes: [...notes, ...scores.notes],
    });
    const text = renderReproduced(table, format, process.stdout.columns).trimEnd();
    return { value: table, text };
  });
}
