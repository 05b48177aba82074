/** Exports the answers of a run as JSON lines. */
import { reportedUsage } from '../../core/usage.js';
import type { RunAnswer, RunQuestion } from '../../stores/runs/run-store.js';
import { unscoredReasons } from '../unscored.js';
import { outcomeOf } from './question-state.js';
import { secondsOf } from './run-figures.js';
import { answersOf, type RunSource } from './run-source.js';

/**
 * An ended question as a line of an exported file has it: `id`, `question`, right `answers`,
 * `outcome`, `prediction` (null unless answered), scores from 0 to 1 by metric (`metrics`),
 * `usage`, times in seconds, and the whole `result`.
 */
export type ExportedAnswer = ReturnType<typeof exported>;

function exported({ id, question, answers, stored }: RunQuestion, answer: RunAnswer) {
  const { result, scores, chainScores, judgement, retrieval, gold } = answer;
  const failure = answer.failure ?? result?.failure;
  const unscored = unscoredReasons(answer);
  const recall = Object.entries(retrieval?.recall ?? {});
  return {
    id,
    question,
    answers,
    outcome: outcomeOf(answer),
    /** The answer; null unless the outcome is answered. */
    prediction: result?.answer ?? null,
    /** Scores from 0 to 1 by metric, including the judge's, and Recall@k as recall@k. */
    metrics: {
      ...scores,
      ...judgement?.scores,
      ...Object.fromEntries(recall.map(([k, score]) => [`recall@${k}`, score])),
    },
    /** Value of each chain metric: 0 or 1, a number, or a part of a whole. */
    ...(chainScores && { chainScores }),
    /** Grades of the passages that were read, by rank, and grades of all gold passages. */
    ...(gold && { gold }),
    /** Reason why a metric has no score, by metric. */
    ...(Object.keys(unscored).length > 0 && { unscored }),
    /** Usage; null if there is no result. */
    usage: result ? reportedUsage(result.usage) : null,
    /** Seconds during which a successful attempt was running; null if unknown. */
    workingSeconds: result?.workingSeconds ?? null,
    /** Seconds from the start of the question to its end; null for an imported answer. */
    seconds: secondsOf(answer),
    ...(failure && { failure }),
    /**
     * Passages that came with the question. The chain and the evidence refer to their ids.
     */
    ...(stored && { passages: stored }),
    /** The whole result, with everything that led to the answer; null if there is none. */
    result: result && { ...result, usage: reportedUsage(result.usage) },
  };
}

/**
 * Yields the ended questions of a run as lines of JSON (`ExportedAnswer`), without line feeds, in
 * the order of its data set.
 */
export async function* exportRun(run: RunSource): AsyncGenerator<string> {
  for await (const { question, answer } of answersOf(run)) {
    yield JSON.stringify(exported(question, answer));
  }
}
