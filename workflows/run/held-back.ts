/** Questions that failed by what a wait can heal; others show whether it is an outage. Pure. */

import { traitsOf } from '../../core/failure.js';
import type { QuestionFailure } from '../../core/result.js';
import type { Tally } from '../../core/run/run.js';
import type { PageQuestion } from '../activities/run.js';

/** A question that is to be asked. */
export interface WaitingQuestion extends PageQuestion {
  /** It has failed by what a wait can heal, and others were answered after that. */
  again?: true;
  /** None has ended: its calls tell the run what they are expected to cost. */
  tellsCost?: true;
  /** About how many calls a question of the run makes; left out while nobody knows. */
  callsEach?: number;
}

/** A question that failed so, and neither counts as failed yet nor waits to be asked. */
export interface HeldQuestion {
  question: WaitingQuestion;
  /** What it counts as if it stays failed; null where its answer was to be judged. */
  tally: Tally | null;
}

/** A question, or the judging of its answer, that failed as all before it. */
export interface FailedAlike extends HeldQuestion {
  failure: QuestionFailure;
}

/** Tells whether a wait can heal what a question failed of. */
export function isOutage(failure: QuestionFailure | undefined): failure is QuestionFailure {
  return traitsOf(failure?.type).healedBy === 'wait';
}

/**
 * Returns the questions that are to be asked once more, now that others are answered; and those that
 * have failed twice while others were: the trouble is their own.
 */
export function release(held: readonly HeldQuestion[]) {
  const once = held.filter(({ question }) => !question.again);
  return {
    again: once.map(({ question }) => ({ ...question, again: true as const })),
    failed: held.filter(({ question }) => question.again),
  };
}

/** Returns the question as before its failure: an outage says nothing about it. */
export function forgiven({ again, ...question }: WaitingQuestion): WaitingQuestion {
  return question;
}

/** Returns the message of a pause that ends by itself; it is true for each probe that fails. */
export function passingMessage({ type, message }: QuestionFailure): string {
  return `${type}: ${message} No question is lost: one is asked now and then, and the run goes on when it ends otherwise.`;
}
