/**
 * Questions that failed from a cause that waiting can heal, held back until others show whether it
 * is an outage. Pure.
 */

import { traitsOf } from '../../core/failure.js';
import type { QuestionFailure } from '../../core/result.js';
import type { Tally } from '../../core/run/run.js';
import type { PageQuestion } from '../activities/run.js';

/** A question that is still to be asked. */
export interface WaitingQuestion extends PageQuestion {
  /** Set if it has failed from such a cause, and others were answered afterwards. */
  again?: true;
  /** Set if no question has ended yet: its calls report their expected costs. */
  tellsCost?: true;
  /** About how many calls a question of the run makes; left out while nobody knows. */
  callsEach?: number;
}

/**
 * A question that failed from such a cause. It neither counts as failed yet nor waits to be asked.
 */
export interface HeldQuestion {
  question: WaitingQuestion;
  /** Its tally if it stays failed; null if its answer was to be judged. */
  tally: Tally | null;
}

/** A question, or the judging of an answer, that failed like all before it. */
export interface FailedAlike extends HeldQuestion {
  failure: QuestionFailure;
}

/** Tells whether waiting can heal the failure of a question. */
export function isOutage(failure: QuestionFailure | undefined): failure is QuestionFailure {
  return traitsOf(failure?.type).healedBy === 'wait';
}

/**
 * Splits held questions after others were answered: `again` are asked once more; `failed` have
 * failed twice while others were answered, so the cause is their own.
 */
export function release(held: readonly HeldQuestion[]) {
  const once = held.filter(({ question }) => !question.again);
  return {
    again: once.map(({ question }) => ({ ...question, again: true as const })),
    failed: held.filter(({ question }) => question.again),
  };
}

/** Returns the question as before its failure, since an outage says nothing about it. */
export function forgiven({ again, ...question }: WaitingQuestion): WaitingQuestion {
  return question;
}

/** Returns the message of a pause that ends by itself. It holds for each probe that fails. */
export function passingMessage({ type, message }: QuestionFailure): string {
  return `${type}: ${message} No question is lost: one is asked from time to time, and the run continues once it succeeds.`;
}
