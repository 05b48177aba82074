/** `durable-rag report`: one HTML file about runs. */

import { openRuns } from '../../evaluation/runs/run-source.js';
import { writeReport } from '../../report/write-report.js';
import { writeAtomically } from '../../stores/runs/atomic-file.js';
import type { CliContext } from '../context.js';
import { EXIT } from '../exit-codes.js';
import { checkOut, sayNext, show } from '../output.js';
import { methodsOf } from '../own-methods.js';
import { withResults } from './with-runs.js';

/** Writes the report; texts come from where the runs had them, as far as they are still there. */
export async function reportRuns(
  names: readonly string[],
  { out, baseline }: { out: string; baseline?: string | undefined },
  context: CliContext,
): Promise<number> {
  checkOut(out, 'report.html');
  const { reporter } = context;
  const gone = await withResults(context, async ({ runs, texts, gone }) => {
    const sources = await openRuns(runs, names);
    await writeAtomically(out, (write) =>
      writeReport(sources, { texts, write, baseline, methods: methodsOf(context) }),
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
