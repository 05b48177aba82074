/** `durable-rag report`: one HTML file about runs. */

import { openRuns } from '../../evaluation/runs/run-source.js';
import type { ShownExplanation } from '../../report/sections/explanations.js';
import { writeReport } from '../../report/write-report.js';
import { writeAtomically } from '../../stores/runs/atomic-file.js';
import type { CliContext } from '../context.js';
import { EXIT } from '../exit-codes.js';
import { checkOut, sayNext, show } from '../output.js';
import { methodsOf } from '../own-methods.js';
import { shownExplanation } from './explain.js';
import { withResults } from './with-runs.js';

/** With more runs, each is explained by its own: a replay of every answer takes its time. */
const MOST_EXPLAINED = 3;

/** Writes the report; texts come from where the runs had them, as far as they are still there. */
export async function reportRuns(
  names: readonly string[],
  { out, baseline }: { out: string; baseline?: string | undefined },
  context: CliContext,
): Promise<number> {
  checkOut(out, 'report.html');
  const { reporter } = context;
  const gone = await withResults(context, async (results) => {
    const { runs, texts, gone } = results;
    const sources = await openRuns(runs, names);
    const explanations: ShownExplanation[] = [];
    for (const { manifest } of sources.length > MOST_EXPLAINED ? [] : sources) {
      const shown = await shownExplanation(manifest, results, context);
      if (shown) explanations.push(shown);
    }
    const methods = methodsOf(context);
    await writeAtomically(out, (write) =>
      writeReport(sources, { texts, write, baseline, methods, explanations }),
    );
    return gone;
  });
  for (const run of gone) {
    reporter.warn(`Some passages of ${run} are no longer there; the report shows them by title.`);
  }
  if (context.json) show(context, { out, runs: names, passagesGone: [...gone] }, '');
  else reporter.part('Report', out);
  sayNext(context, `open ${out} in a browser`);
  return EXIT.ok;
}
