/** The next questions of a run, without those that are done. */

import { addTally, noSums } from '../../core/run/sums.js';
import { addUsage, isUsed, noUsage, sumUsage } from '../../core/usage.js';
import { fileName } from '../../stores/runs/file-results.js';
import type { ReadInput, ReadQuestions } from '../../workflows/activities/run.js';
import type { Ports } from '../runtime/ports.js';
import { isOutdated } from './change-run.js';
import { applyingInRun, isToJudge } from './judged.js';
import { readPage } from './page.js';
import { manifestOf } from './run-of.js';
import { tallyOf, usageOfAll } from './tally-of.js';

/** @throws Failure BadInput when there is no such run, or a file of it is damaged. */
export async function readQuestions(
  { run, from }: ReadInput,
  { runs, ...known }: Pick<Ports, 'runs' | 'metrics' | 'methods'>,
): Promise<ReadQuestions> {
  const { input, stopped = [] } = await manifestOf(run, runs);
  let kept = noSums;
  let earlier = from === 0 ? sumUsage(stopped.map(({ usage }) => usage)) : noUsage;
  const page = await readPage(runs.questions(run, from), from, async (asked, at) => {
    const { id, question } = asked;
    const answer = await runs.get(run, id);
    const open = { id, name: fileName(id), question, at };
    const tally = answer && tallyOf(answer);
    if (answer) earlier = addUsage(earlier, usageOfAll(answer));
    if (!answer || !tally || tally.outcome === 'failed') return open;
    if (isOutdated(asked, answer)) return open;
    kept = addTally(kept, tally);
    return isToJudge(applyingInRun(input, asked, known).judged, answer)
      ? { ...open, toJudge: true as const }
      : undefined;
  });
  return { ...page, kept, ...(isUsed(earlier) && { earlier }) };
}
