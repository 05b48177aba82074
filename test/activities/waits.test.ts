/** How long the next attempt of a call waits. */
import { expect, it } from 'vitest';
import { providerCall } from '../../activities/runtime/provider-call.js';
import { Failure, type FailureType } from '../../methods/failure.js';
import { type Attempt, attempt } from '../support/activity.js';

/** The waits of a call that fails so often in this way, in whole seconds: jitter is less than one. */
async function waits(type: FailureType, retryAfterMs: number | undefined, times: number) {
  const seconds: number[] = [];
  let last: Attempt<unknown> = { details: undefined };
  for (let n = 0; n < times; n++) {
    const fails = () =>
      providerCall({ attempts: 100 }, () => {
        throw new Failure(type, 'No.', { retryAfterMs });
      });
    last = await attempt(fails, { details: last.details });
    seconds.push(Math.floor(Number(last.failure?.nextRetryDelay) / 1000));
  }
  return seconds;
}

it.each<[FailureType, number | undefined]>([
  ['RateLimited', undefined],
  ['RateLimited', 1],
  ['RateLimited', 999],
  ['Overloaded', 12],
])('grows where the provider names none worth the name: %s, %s ms', async (type, named) => {
  expect(await waits(type, named, 4)).toEqual([1, 2, 4, 8]);
});

it('is what the provider asked for', async () => {
  expect(await waits('RateLimited', 5000, 4)).toEqual([5, 5, 5, 5]);
});

it('is none where the next attempt leaves out what was refused', async () => {
  expect(await waits('ParameterRefused', 0, 2)).toEqual([0, 0]);
});
