import { reportedUsage } from '../../core/usage.js';
import type { RunAnswer, RunQuestion } from '../../stores/runs/run-store.js';
import { unscoredOf } from '../unscored.js';
import { outcomeOf } from './question-state.js';
import { secondsOf } from './run-figures.js';
import { answersOf, type RunSource } from './run-source.js';

/** An answer as a line of an exported file has it: see `exported`. */
export type ExportedAnswer = ReturnType<typeof exported>;

function exported({ id, question, answers, stored }: RunQuestion, answer: RunAnswer) {
  const { result, scores, told, judgement, retrieval, gold } = answer;
  const failure = answer.failure ?? result?.failure;
  const unscored = unscoredOf(answer);
  const recall = Object.entries(retrieval?.recall ?? {});
  return {
    id,
    question,
    answers,
    outcome: outcomeOf(answer),
    /** The answer; null unless the outcome is answered. */
    prediction: result?.answer ?? null,
    /** 0 to 1 by metric: of the answer, of the judge, and Recall@k as recall@k. */
    metrics: {
      ...scores,
      ...judgement?.scores,
      ...Object.fromEntries(recall.map(([k, score]) => [`recall@${k}`, score])),
    },
    /** Value of each chain metric: 0 or 1, a number, or a part of a whole. */
    ...(told && { told }),
    /** Grades of the passages that were read, by rank, and grades of all gold passages. */
    ...(gold && { gold }),
    /** Reason why a metric has no score, by metric. */
    ...(Object.keys(unscored).length > 0 && { unscored }),
    /** Usage; null if there is no result. */
    usage: result ? reportedUsage(result.usage) : null,
    /** Seconds during which a successful attempt was running; null if unknown. */
    workingSeconds: result?.workingSeconds ?? null,
    /** Seconds from the beginning of the question to its end; null if it was answered elsewhere. */
    seconds: secondsOf(answer),
    ...(failure && { failure }),
    /**
     * Passages that came with the question; join the ids in the chain and evidence with their own.
     */
    ...(stored && { passages: stored }),
    /** Everything that led to the answer. */
    result: result && { ...result, usage: reportedUsage(result.usage) },
  };
}

/** The lines of a run in the order of its data set, those of questions that have ended. */
export async function* exportRun(run: RunSource): AsyncGenerator<string> {
  for await (const { question, answer } of answersOf(run)) {
    yield JSON.stringify(exported(question, answer));
  }
}
