/** Which limit is in force, as runs ask for some and end. */
import { expect, it } from 'vitest';
import {
  limitedRates,
  limitsInForce,
  noLimits,
  ownersOf,
  type RequestedLimits,
  withoutOwners,
  withRequest,
} from '../../../workflows/queue/limits.js';

/** What stands after each has asked, in seconds one after the other. */
const after = (...asking: [string | null, object][]): RequestedLimits =>
  asking.reduce<RequestedLimits>(
    (asked, [owner, rates], i) => withRequest(asked, { owner, rates }, i),
    noLimits,
  );

const rpm = (requestsPerMinute: number | null) => ({ requestsPerMinute });

it('is the one that was asked for last, with its owner and its time', () => {
  const asked = after(['a', { requestsPerMinute: 60, tokensPerMinute: 9000 }], ['b', rpm(600)]);
  expect(limitsInForce(asked)).toEqual({
    requestsPerMinute: { perMinute: 600, owner: 'b', since: 1 },
    tokensPerMinute: { perMinute: 9000, owner: 'a', since: 0 },
  });
  expect(ownersOf(asked)).toEqual(['a', 'b']);
});

it('is the one before it when its run has ended, or takes it back', () => {
  const asked = after([null, rpm(30)], ['a', rpm(60)], ['b', rpm(600)], ['a', rpm(90)]);
  const numbers = (of: RequestedLimits) => limitsInForce(of).requestsPerMinute?.perMinute;
  expect(numbers(asked)).toBe(90);
  expect(numbers(withoutOwners(asked, ['a']))).toBe(600);
  expect(numbers(withRequest(asked, { owner: 'a', rates: rpm(null) }, 9))).toBe(600);
  // What was set for the queue ends with no run.
  expect(numbers(withoutOwners(asked, ['a', 'b']))).toBe(30);
  expect(
    limitsInForce(
      withRequest(withoutOwners(asked, ['a', 'b']), { owner: null, rates: rpm(null) }, 9),
    ),
  ).toEqual({});
});

it('changes nothing of a rate that nobody asked about', () => {
  const asked = after(['a', { tokensPerMinute: 9000 }], ['b', rpm(600)]);
  expect(limitedRates(asked, ['a'])).toEqual(['tokensPerMinute']);
  expect(limitedRates(asked, ['nobody'])).toEqual([]);
});
