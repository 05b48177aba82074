/** How a question of a run ended, as one word for lists and filters. Pure. */

import type { Outcome } from '../../core/result.js';
import type { RunMetric } from '../../core/run/run.js';
import type { RunAnswer, RunManifest } from '../../stores/runs/run-store.js';
import { decisiveScore } from './metrics.js';

/** The outcomes, with answered split into right and wrong. */
export const QUESTION_STATES = ['right', 'wrong', 'unknown', 'unreadable', 'failed'] as const;
/** How a question of a run ended: "answered" is split into right and wrong. */
export type QuestionState = (typeof QUESTION_STATES)[number];

/** The decisive score from which on an answer counts as right. */
const RIGHT = 0.5;

/** A question that never came back, as one whose workflow was terminated, has failed. */
export function outcomeOf({ result }: Pick<RunAnswer, 'result'>): Outcome {
  return result?.outcome ?? 'failed';
}

/**
 * Returns the state. An answer is right if its deciding score is at least half of the scale. An
 * answer that nothing scores counts as wrong. "Unknown" is right if its score says so, for example
 * for a claim that cannot be settled.
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

/**
 * Tells whether an answer has scores from before its run was scored again, which was interrupted.
 */
export function hasOldScores({ scoredAt }: RunAnswer, { rescored }: RunManifest): boolean {
  return scoredAt !== rescored?.at(-1)?.at;
}
