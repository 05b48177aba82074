/** The state of a question in a run, as one word for lists and filters. Pure. */

import type { Outcome } from '../../core/result.js';
import type { RunMetric } from '../../core/run/run.js';
import type { RunAnswer, RunManifest } from '../../stores/runs/run-store.js';
import { decisiveScore } from './metrics.js';

/**
 * The states of ended questions in the order in which they are shown: right and wrong for answered
 * ones, otherwise the outcome.
 */
export const QUESTION_STATES = ['right', 'wrong', 'unknown', 'unreadable', 'failed'] as const;
/** The state of an ended question: its outcome, with "answered" split into right and wrong. */
export type QuestionState = (typeof QUESTION_STATES)[number];

/** Lowest decisive score, from 0 to 1, of a right answer. */
const RIGHT = 0.5;

/**
 * Returns the outcome of an ended question: that of its result or, if it has none, for example
 * because its workflow was terminated, "failed".
 */
export function outcomeOf({ result }: Pick<RunAnswer, 'result'>): Outcome {
  return result?.outcome ?? 'failed';
}

/**
 * Returns the state of an ended question. It is right if its decisive score is at least 0.5; an
 * answer without a score is wrong. A question with the outcome unknown is right if its score is,
 * for example for a claim that cannot be settled.
 *
 * @param own Custom metrics of the run.
 */
export function stateOf(answer: RunAnswer, own?: readonly RunMetric[]): QuestionState {
  const outcome = outcomeOf(answer);
  if (outcome !== 'answered' && outcome !== 'unknown') return outcome;
  const score = decisiveScore({ ...answer.scores, ...answer.judgement?.scores }, own) ?? 0;
  if (isRightBy(score)) return 'right';
  return outcome === 'answered' ? 'wrong' : 'unknown';
}

/** Returns whether a decisive score, from 0 to 1, counts as right. */
export function isRightBy(score: number): boolean {
  return score >= RIGHT;
}

/**
 * Returns whether an answer still has scores from before its run was last scored again, by the
 * times in the answer and in the run's manifest. That happens if the scoring was interrupted.
 */
export function hasOldScores({ scoredAt }: RunAnswer, { rescored }: RunManifest): boolean {
  return scoredAt !== rescored?.at(-1)?.at;
}
