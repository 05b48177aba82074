import { expect, it } from 'vitest';
import { callPriority } from '../../../workflows/queue/priorities.js';

const run = { priorityKey: 3, fairnessKey: 'nq' };
const heavy = { ...run, fairnessWeight: 4 };

it.each([
  ['no key', { priorityKey: 1 }, 7, true, {}],
  ['nobody knows how many calls', run, undefined, true, {}],
  ['one call a question', run, 1, true, {}],
  ['the first of eight', run, 8, true, { fairnessWeight: 1 / 8 }],
  ['a later one of eight', run, 8, false, { fairnessKey: 'nq+', fairnessWeight: 7 / 8 }],
  ['a heavy run', heavy, 8, true, { fairnessWeight: 1 / 2 }],
  ['a later one of it', heavy, 8, false, { fairnessKey: 'nq+', fairnessWeight: 7 / 2 }],
  // A call that few questions make does not wait for a hundred others.
  ['hardly more than one', run, 1.01, false, { fairnessKey: 'nq+', fairnessWeight: 1 / 2 }],
  ['more than a weight can tell', run, 5_000, true, { fairnessWeight: 0.001 }],
])('gives a call its part of the share of its run: %s', (_, own, callsEach, isFirst, part) => {
  expect(callPriority(own, callsEach, isFirst)).toEqual(part);
});

it.each([2, 7, 40, 227])(
  'parts the share of a run with %i calls a question, and no more',
  (calls) => {
    const [first, later] = [true, false].map((isFirst) => callPriority(heavy, calls, isFirst));
    expect(Number(first?.fairnessWeight) + Number(later?.fairnessWeight)).toBeCloseTo(4);
  },
);
