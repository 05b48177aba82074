import type { Outcome, QuestionFailure } from '../../core/result.js';
import type { Usage } from '../../core/usage.js';
import type { RunAnswer, RunQuestion } from '../../stores/runs/run-store.js';
import { unscoredOf } from '../unscored.js';
import { outcomeOf } from './question-state.js';
import { joinRuns, type RunSource } from './run-source.js';

export interface ExportedAnswer {
  id: string;
  question: string;
  answers: string[];
  outcome: Outcome;
  /** Null unless the outcome is answered. */
  prediction: string | null;
  /** 0 to 1 by metric: of the answer, of the judge, and Recall@k as recall@k. */
  metrics: Record<string, number>;
  /** By metric of somebody's own that gave no score: why. */
  unscored?: Record<string, string>;
  /** Null when nothing came back. */
  usage: Usage | null;
  failure?: QuestionFailure;
  /** Everything that led to the answer. */
  result: RunAnswer['result'];
}

/** The line of a question, without its line break. */
function exportLine({ id, question, answers }: RunQuestion, answer: RunAnswer): string {
  const { result, scores, judgement, retrieval } = answer;
  const failure = answer.failure ?? result?.failure;
  const unscored = unscoredOf(answer);
  const recall = Object.entries(retrieval?.recall ?? {});
  const line: ExportedAnswer = {
    id,
    question,
    answers,
    outcome: outcomeOf(answer),
    prediction: result?.answer ?? null,
    metrics: {
      ...scores,
      ...judgement?.scores,
      ...Object.fromEntries(recall.map(([k, score]) => [`recall@${k}`, score])),
    },
    ...(Object.keys(unscored).length > 0 && { unscored }),
    usage: result?.usage ?? null,
    ...(failure && { failure }),
    result,
  };
  return JSON.stringify(line);
}

/** The lines of a run in the order of its data set, those of questions that have ended. */
export async function* exportRun(run: RunSource): AsyncGenerator<string> {
  for await (const { question, answers } of joinRuns([run])) {
    const [answer] = answers;
    if (answer) yield exportLine(question, answer);
  }
}
