/** `study table` and `study list`: shows stored studies. */
import { badInput } from '../../core/options/problems.js';
import { unknownStudy } from '../../core/run/unknown-run.js';
import type { StudyCells } from '../../core/study/cell.js';
import type { CompareOptions } from '../../evaluation/runs/compare.js';
import {
  longFormCsv,
  longFormFieldColumns,
  longFormHeader,
  longFormJson,
  longFormMetricColumns,
  longFormRows,
} from '../../evaluation/study/long-form.js';
import { renderTable, type TableFormat } from '../../evaluation/study/render-table.js';
import { studyCells, studyNames, studyRuns } from '../../evaluation/study/study-of.js';
import { type OpenRun, runsOf, studyScores } from '../../evaluation/study/study-scores.js';
import { EFFORT, studyTable, type TableContent } from '../../evaluation/study/study-table.js';
import type { CliContext } from '../context.js';
import { print, printJsonLine } from '../print.js';
import type { CommandOutput } from '../print-output.js';
import { withRuns } from '../run/with-runs.js';
import { tunesAmong, tuneWarning } from '../tune/stored-tune.js';

/**
 * Returns the output of `study list`: the stored studies, as JSON an array of objects with `name`
 * and `runs` (their number), as text one line for each.
 */
export function listStudies(context: CliContext): Promise<CommandOutput> {
  return withRuns(context, async (store) => {
    const manifests = await store.list();
    const studies = studyNames(manifests).map((name) => {
      return { name, runs: studyRuns(manifests, name).length };
    });
    const lines = studies.map(({ name, runs }) => `${name}  ${runs} runs`);
    return { value: studies, text: lines.length > 0 ? lines.join('\n') : 'There is no study yet.' };
  });
}

/** Flags of `study table`. */
interface TableFlags extends Pick<CompareOptions, 'by' | 'cluster' | 'metrics'> {
  format: TableFormat;
  /** Metric that the cells show. */
  of: string;
  /** Metric by whose values the questions are grouped: those that reach each value. */
  above?: string | undefined;
  /** Metric whose correlation with the scores is shown. */
  correlate?: string | undefined;
  /** Whether to print one line for each answer. */
  long?: boolean | undefined;
}

/**
 * Prints the table of a stored study to standard output, or with `long` its answers. Returns an
 * empty output, since all is printed.
 *
 * @throws Failure UnknownRun if no run of the study is kept; BadInput for an unknown metric.
 */
export function printStudyTable(
  name: string,
  { format, of, long, above, correlate, ...compared }: TableFlags,
  context: CliContext,
): Promise<CommandOutput> {
  return withRuns(context, async (store) => {
    const manifests = await store.list();
    const cells = studyCells(manifests, name);
    if (!cells) throw unknownStudy(name);
    if (tunesAmong([name], manifests).length > 0) context.reporter.warn(tuneWarning(name));
    const open = runsOf(store);
    if (long) {
      await printAnswers(cells, open, context.json ? 'json' : format);
      return {};
    }
    const options = above === undefined ? compared : { ...compared, above: { metric: above } };
    const scores = await studyScores(cells, open, options);
    const table = studyTable(scores, shownBy(of), correlate);
    print(renderTable(table, context.json ? 'json' : format).trimEnd());
    return {};
  });
}

/**
 * Prints one line for each answer of a study: as CSV, or as an array in JSON.
 *
 * @throws Failure BadInput for another format.
 */
async function printAnswers(study: StudyCells, open: OpenRun, format: TableFormat): Promise<void> {
  if (format === 'markdown' || format === 'latex') {
    throw badInput('format', `must be csv or json with --long, not ${format}`);
  }
  // A study whose clusters are too few for a conclusion has its answers all the same.
  const scored = await studyScores({ ...study, cluster: undefined }, open);
  const metrics = longFormMetricColumns(scored);
  const fields = longFormFieldColumns(scored);
  const lines = longFormRows(scored);
  if (format !== 'json') {
    print(longFormHeader(metrics, fields).trimEnd());
    for await (const line of lines) print(longFormCsv(line, metrics, fields).trimEnd());
    return;
  }
  let before = '[';
  for await (const line of lines) {
    await printJsonLine(`${before}${JSON.stringify(longFormJson(line, metrics, fields))}`);
    before = ',';
  }
  await printJsonLine(before === '[' ? '[]' : ']');
}

/** Returns what the cells of the table show: the score, an effort such as the cost, or a metric. */
function shownBy(of: string): TableContent {
  const what = of.trim().toLowerCase();
  const isShown = what === 'score' || Object.hasOwn(EFFORT, what);
  return isShown ? (what as TableContent) : { metric: of };
}
