/** The next questions of a run, without those that are done. */

import { addTally, noSums } from '../../core/run/sums.js';
import { addUsage, isUsed, noUsage, sumUsage } from '../../core/usage.js';
import { fileName } from '../../stores/runs/file-results.js';
import type { ReadInput, ReadQuestions } from '../../workflows/activities/run.js';
import type { Ports } from '../runtime/ports.js';
import { isOutdated } from './change-run.js';
import { isToJudge } from './judge-task.js';
import { readPage } from './page.js';
import { manifestOf } from './run-of.js';
import { tallyOf, usageOfAll } from './tally-of.js';

/** @throws Failure BadInput when there is no such run, or a file of it is damaged. */
export async function readQuestions(
  { run, from, most = Infinity, retryFrom = 0, onlyJudge = false }: ReadInput,
  { runs, ...known }: Pick<Ports, 'runs' | 'metrics' | 'methods'>,
): Promise<ReadQuestions> {
  const manifest = await manifestOf(run, runs);
  const { stopped = [] } = manifest;
  let kept = noSums;
  let earlier = from === 0 ? sumUsage(stopped.map(({ usage }) => usage)) : noUsage;
  let read = 0;
  const wanted = atMost(runs.questions(run, from), most);
  const page = await readPage(wanted, from, async (asked, at) => {
    read++;
    const { id, question } = asked;
    const answer = await runs.get(run, id);
    const open = { id, name: fileName(id), question, at };
    if (!answer) return onlyJudge ? undefined : open;
    earlier = addUsage(earlier, usageOfAll(answer));
    const { judgement, ...unjudged } = answer;
    const hasFailed = tallyOf(unjudged).outcome === 'failed';
    const isToAsk = (hasFailed && at >= retryFrom) || isOutdated(asked, answer);
    if (isToAsk && !onlyJudge) return open;
    const toJudge = !isToAsk && isToJudge(manifest, asked, answer, known);
    // What the judge finds counts when it has: not what it is to replace.
    kept = addTally(kept, tallyOf(toJudge ? unjudged : answer));
    return toJudge ? { ...open, toJudge } : undefined;
  });
  return { ...page, read, kept, ...(isUsed(earlier) && { earlier }) };
}

async function* atMost<T>(all: AsyncIterable<T>, most: number): AsyncGenerator<T> {
  let left = most;
  for await (const one of all) {
    if (left-- <= 0) return;
    yield one;
  }
}
