/** Reads the next page of a run's questions that are still to be asked or judged. */
import { addJudgeCost, addQuestionCost } from '../../core/run/costs.js';
import type { CostsSeen } from '../../core/run/run.js';
import { addTally, NO_SUMS } from '../../core/run/sums.js';
import { addUsage, hasUsage, NO_USAGE, sumUsage } from '../../core/usage.js';
import { safeFileName } from '../../stores/runs/file-results.js';
import type { RunQuestion } from '../../stores/runs/run-store.js';
import type {
  PageQuestion,
  ReadQuestions,
  ReadQuestionsInput,
} from '../../workflows/activities/run.js';
import type { Ports } from '../runtime/ports.js';
import { isAnswerOutdated } from './change-run.js';
import { needsJudge } from './judge-task.js';
import { tallyOf, usageOfAll } from './record-answer.js';
import { manifestOfRun } from './run-of.js';

/** Limits of a page, which keep the history of a window over it far below Temporal's limit. */
const MOST_QUESTIONS = 300;
const MOST_BYTES = 500_000;

/**
 * Returns the next page of a run's questions that are to be asked or judged, beginning at the
 * place `from`: `questions`, the number of questions `read` for it, and as `next` the place of the
 * next page, null after the last question or once `most` were read. `kept` has the summed
 * outcomes, scores and usage of the answers that are not asked for again. A page is small enough
 * for the history of one workflow.
 *
 * A question is to be asked if it has no answer or an outdated one, or if its answer failed before
 * `retryBefore`. If the input asks for it, unreadable answers are asked again too, or only answers
 * to be judged are returned.
 *
 * @throws Failure UnknownRun if there is no such run; Damaged if one of its files is damaged.
 */
export async function readQuestions(
  { run, from, most = Infinity, retryBefore = Infinity, ...which }: ReadQuestionsInput,
  { runs, ...known }: Pick<Ports, 'runs' | 'metrics' | 'methods'>,
): Promise<ReadQuestions> {
  const { onlyJudge = false, retryUnreadable = false } = which;
  const manifest = await manifestOfRun(run, runs);
  const { stopped = [] } = manifest;
  const questions: PageQuestion[] = [];
  let kept = NO_SUMS;
  let hasJudged = false;
  let costsSeen: CostsSeen = { usd: 0, questions: 0 };
  let earlier = from === 0 ? sumUsage(stopped.map(({ usage }) => usage)) : NO_USAGE;
  let [read, bytes, at] = [0, 0, from];
  const page = (next: number | null): ReadQuestions => ({
    questions,
    next,
    read,
    kept,
    ...(hasUsage(earlier) && { earlier }),
    ...(costsSeen.questions > 0 && { costsSeen }),
    ...(hasJudged && { hasJudged }),
  });
  for await (const { question, next } of runs.questions(run, from)) {
    if (read === most) return page(null);
    if (questions.length === MOST_QUESTIONS || bytes > MOST_BYTES) return page(at);
    read++;
    const open = await openOf(question, at);
    if (open) {
      questions.push(open);
      bytes += Buffer.byteLength(JSON.stringify(open));
    }
    at = next;
  }
  return page(null);

  /**
   * Returns a question that is to be asked or judged; otherwise undefined, and counts its answer.
   */
  async function openOf(asked: RunQuestion, at: number): Promise<PageQuestion | undefined> {
    const { id, question } = asked;
    const answer = await runs.get(run, id);
    const open = { id, name: safeFileName(id), question, at };
    if (!answer) return onlyJudge ? undefined : open;
    earlier = addUsage(earlier, usageOfAll(answer));
    const { judgement, ...unjudged } = answer;
    const { outcome } = tallyOf(unjudged);
    const isToRetry = outcome === 'failed' && Date.parse(answer.endedAt) < retryBefore;
    const isToResample = outcome === 'unreadable' && retryUnreadable;
    const isToAsk = isToRetry || isToResample || isAnswerOutdated(asked, answer);
    if (isToAsk && !onlyJudge) {
      const resample = (answer.resample ?? 0) + (isToResample ? 1 : 0);
      return { ...open, ...(resample > 0 && { resample }) };
    }
    const tally = tallyOf(answer);
    costsSeen = addQuestionCost(costsSeen, tally);
    if (judgement) costsSeen = addJudgeCost(costsSeen, judgement.usage);
    const toJudge = !isToAsk && needsJudge(manifest, asked, answer, known);
    hasJudged ||= judgement !== undefined && !toJudge;
    // A judgement that is to be replaced does not count; the new one will.
    kept = addTally(kept, toJudge ? tallyOf(unjudged) : tally);
    return toJudge ? { ...open, toJudge } : undefined;
  }
}
