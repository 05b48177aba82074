/** The next questions of a run, without those that are done. */
import { addTally, noSums } from '../../core/run/sums.js';
import { addUsage, isUsed, noUsage, sumUsage } from '../../core/usage.js';
import { fileName } from '../../stores/runs/file-results.js';
import type { QuestionPage, ReadInput, ReadQuestions } from '../../workflows/activities/run.js';
import type { Ports } from '../runtime/ports.js';
import { isOutdated } from './change-run.js';
import { isToJudge } from './judge-task.js';
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

/** So that the history of a window over one page stays far below what Temporal allows. */
const MOST_QUESTIONS = 300;
const MOST_BYTES = 500_000;

/**
 * Takes questions until the page is full.
 *
 * @param take What the page holds of a question at its place; undefined passes it over.
 */
async function readPage<Q, P>(
  questions: AsyncIterable<{ question: Q; next: number }>,
  from: number,
  take: (question: Q, at: number) => Promise<P | undefined>,
): Promise<QuestionPage<P>> {
  const page: P[] = [];
  let bytes = 0;
  let at = from;
  for await (const { question, next } of questions) {
    if (page.length === MOST_QUESTIONS || bytes > MOST_BYTES) return { questions: page, next: at };
    const taken = await take(question, at);
    if (taken !== undefined) {
      page.push(taken);
      bytes += Buffer.byteLength(JSON.stringify(taken));
    }
    at = next;
  }
  return { questions: page, next: null };
}
