/** `study table` and `study list`: what is kept of studies. */
import { unknownStudy } from '../../core/run/unknown-run.js';
import { longCsv, longHeader, longLines, longMetrics } from '../../evaluation/study/long-form.js';
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

/** @throws Failure UnknownRun where no run of the study is kept. */
export function studyTableOf(
  name: string,
  { format, of, long }: { format: TableFormat; of: string; long?: boolean | undefined },
  context: CliContext,
): Promise<Output> {
  return withRuns(context, async (store) => {
    const cells = studyCells(await store.list(), name);
    if (!cells) throw unknownStudy(name);
    const open = runsOf(store);
    if (long) {
      const scored = await studyScores(cells, open);
      const metrics = longMetrics(scored);
      print(longHeader(metrics).trimEnd());
      for await (const line of longLines(scored, open)) print(longCsv(line, metrics).trimEnd());
      return {};
    }
    const table = studyTable(await studyScores(cells, open), shownBy(of));
    print(renderTable(table, context.json ? 'json' : format).trimEnd());
    return {};
  });
}

function shownBy(of: string): Shown {
  return of === 'score' || of === 'cost' || of === 'calls' || of === 'time' ? of : { metric: of };
}
