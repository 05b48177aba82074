/** How a question of a run ended, in the one word that lists and filters show. Pure. */

import type { Outcome } from '../../core/result.js';
import type { RunMetric } from '../../core/run/run.js';
import type { RunAnswer, RunManifest } from '../../stores/runs/run-store.js';
import { decisiveScore } from './metrics.js';

/** The outcomes, with the answered ones told apart. */
export const QUESTION_STATES = ['right', 'wrong', 'unknown', 'unreadable', 'failed'] as const;
export type QuestionState = (typeof QUESTION_STATES)[number];

/** The decisive score from which on an answer counts as right. */
const RIGHT = 0.5;

/** A question that never came back, as one whose workflow was terminated, has failed. */
export function outcomeOf({ result }: Pick<RunAnswer, 'result'>): Outcome {
  return result?.outcome ?? 'failed';
}

/**
 * Whether the answer is right: for metrics of 0 and 1 that is plain, of a graded one at least half
 * is asked. An answer that nothing scores counts as wrong. That it is not known is right where
 * its score says so, as of a claim that cannot be settled.
 */
export function stateOf(answer: RunAnswer, own?: readonly RunMetric[]): QuestionState {
  const outcome = outcomeOf(answer);
  if (outcome !== 'answered' && outcome !== 'unknown') return outcome;
  const score = decisiveScore({ ...answer.scores, ...answer.judgement?.scores }, own) ?? 0;
  if (isRightBy(score)) return 'right';
  return outcome === 'answered' ? 'wrong' : 'unknown';
}

export function isRightBy(score: number): boolean {
  return score >= RIGHT;
}

/** Whether an answer has its scores from before its run was scored again: that was stopped. */
export function hasOldScores({ scoredAt }: RunAnswer, { rescored }: RunManifest): boolean {
  return scoredAt !== rescored?.at(-1)?.at;
}
