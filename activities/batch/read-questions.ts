/** The next questions of a run, without those that are done. */
import type { KeptSums } from '../../methods/batch/batch.js';
import { addTally, noSums } from '../../methods/batch/sums.js';
import { addUsage, isUsed, noUsage, sumUsage, type Usage } from '../../methods/usage.js';
import { fileName } from '../../results/file-results.js';
import type { Ports } from '../runtime/ports.js';
import { isOutdated } from './change-run.js';
import { isToJudge, judgedOf } from './judged.js';
import { type QuestionPage, readPage } from './page.js';
import { manifestOf } from './run-of.js';
import { tallyOf, usageOfAll } from './tally-of.js';

export interface ReadInput {
  run: string;
  /** The place to go on at; 0 for the first question. */
  from: number;
}

/** A question that is to be asked. */
export interface PageQuestion {
  id: string;
  /** Safe in workflow ids, and its own. */
  name: string;
  question: string;
  /** Its place in the store. */
  at: number;
  /** It has its answer, and counts as kept; only the judge of the run is still to be asked. */
  toJudge?: true;
}

export interface ReadQuestions extends QuestionPage<PageQuestion> {
  /** Those that have an answer that did not fail, whether it is judged or not. */
  kept: KeptSums;
  /**
   * What earlier starts took for the questions read, those that failed included; with the first page
   * also what those took that were cancelled.
   */
  earlier?: Usage;
}

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
    return isToJudge(judgedOf(input, asked, known), answer)
      ? { ...open, toJudge: true as const }
      : undefined;
  });
  return { ...page, kept, ...(isUsed(earlier) && { earlier }) };
}
