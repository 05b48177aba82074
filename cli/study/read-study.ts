/** `study table` and `study list`: what is kept of studies. */
import { unknownStudy } from '../../core/run/unknown-run.js';
import {
  longCsv,
  longFields,
  longHeader,
  longLines,
  longMetrics,
} from '../../evaluation/study/long-form.js';
import { renderTable, type TableFormat } from '../../evaluation/study/render-table.js';
import { studyCells, studyNames, studyRuns } from '../../evaluation/study/study-of.js';
import { runsOf, studyScores } from '../../evaluation/study/study-scores.js';
import { type Shown, studyTable } from '../../evaluation/study/study-table.js';
import type { CliContext } from '../context.js';
import type { Output } from '../output.js';
import { print } from '../print.js';
import { withRuns } from '../run/with-runs.js';

export function listStudies(context: CliContext): Promise<Output> {
  return withRuns(context, async (store) => {
    const manifests = await store.list();
    const studies = studyNames(manifests).map((name) => {
      return { name, runs: studyRuns(manifests, name).length };
    });
    const lines = studies.map(({ name, runs }) => `${name}  ${runs} runs`);
    return { value: studies, text: lines.length > 0 ? lines.join('\n') : 'There is no study yet.' };
  });
}

interface TableFlags {
  format: TableFormat;
  /** What the cells show. */
  of: string;
  /** What is compared. */
  metric?: readonly string[] | undefined;
  by?: string | undefined;
  cluster?: string | undefined;
  long?: boolean | undefined;
}

/** @throws Failure UnknownRun where no run of the study is kept. */
export function studyTableOf(
  name: string,
  { format, of, metric, by, cluster, long }: TableFlags,
  context: CliContext,
): Promise<Output> {
  return withRuns(context, async (store) => {
    const cells = studyCells(await store.list(), name);
    if (!cells) throw unknownStudy(name);
    const open = runsOf(store);
    if (long) {
      const scored = await studyScores(cells, open);
      const metrics = longMetrics(scored);
      const fields = longFields(scored);
      print(longHeader(metrics, fields).trimEnd());
      for await (const line of longLines(scored, open)) {
        print(longCsv(line, metrics, fields).trimEnd());
      }
      return {};
    }
    const scores = await studyScores(cells, open, { metrics: metric, by, cluster });
    const table = studyTable(scores, shownBy(of));
    print(renderTable(table, context.json ? 'json' : format).trimEnd());
    return {};
  });
}

function shownBy(of: string): Shown {
  const what = of.trim().toLowerCase();
  return what === 'score' || what === 'cost' || what === 'calls' || what === 'time'
    ? what
    : { metric: of };
}
