/** What workflows fail with. */
import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  RetryState,
  TimeoutFailure,
} from '@temporalio/common';
import { expect, it } from 'vitest';
import { causeOf, finalFailure } from '../../workflows/workflow-failure.js';

const step = (cause?: Error) =>
  new ActivityFailure('A step failed.', 'read', undefined, RetryState.TIMEOUT, undefined, cause);

it('takes type and message from what failed the step', () => {
  const refused = ApplicationFailure.create({ type: 'ContentRefused', message: 'No.' });
  const cause = { type: 'ContentRefused', message: 'No.' };
  expect(causeOf(step(refused))).toEqual(cause);
  // As a local activity's failure comes.
  expect(causeOf(refused)).toEqual(cause);
  const untyped = ApplicationFailure.create({ message: 'Odd.' });
  expect(causeOf(step(untyped))).toEqual({ type: 'Unexpected', message: 'Odd.' });
  const late = new TimeoutFailure('Late.', undefined, 'HEARTBEAT');
  expect(causeOf(step(late))).toEqual({ type: 'Timeout', message: 'Late.' });
  expect(causeOf(step())).toEqual({ type: 'Timeout', message: 'A step failed.' });
});

it.each([
  new CancelledFailure('By hand.'),
  step(new CancelledFailure('By hand.')),
  new TypeError(),
])('leaves a cancel and a fault of our own as they are: %s', (error) => {
  expect(() => causeOf(error)).toThrow(error);
});

it('ends a workflow for good, with what is known of it', () => {
  const error = step();
  const failure = finalFailure({ type: 'Timeout', message: 'Late.' }, { usage: 1 }, error);
  expect(failure).toBeInstanceOf(ApplicationFailure);
  expect(failure).toMatchObject({ type: 'Timeout', message: 'Late.', nonRetryable: true });
  expect(failure).toMatchObject({ details: [{ usage: 1 }], cause: error });
});
