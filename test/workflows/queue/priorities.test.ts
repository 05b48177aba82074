import { expect, it } from 'vitest';
import { callPriority } from '../../../workflows/queue/priorities.js';

const run = { priorityKey: 3, fairnessKey: 'nq' };
const heavy = { ...run, fairnessWeight: 4 };
const tenant = { name: 'acme', weight: 4 };
const ask = { priorityKey: 1 };

it.each([
  ['no key', ask, { callsEach: 7, isFirst: true }, {}],
  ['nobody knows how many calls', run, { isFirst: true }, {}],
  ['one call a question', run, { callsEach: 1, isFirst: true }, {}],
  ['the first of eight', run, { callsEach: 8, isFirst: true }, { fairnessWeight: 1 / 8 }],
  [
    'a later one of eight',
    run,
    { callsEach: 8, isFirst: false },
    { fairnessKey: 'nq+', fairnessWeight: 7 / 8 },
  ],
  ['a heavy run', heavy, { callsEach: 8, isFirst: true }, { fairnessWeight: 1 / 2 }],
  [
    'a later one of it',
    heavy,
    { callsEach: 8, isFirst: false },
    { fairnessKey: 'nq+', fairnessWeight: 7 / 2 },
  ],
  // A call that few questions make does not wait for a hundred others.
  [
    'hardly more than one',
    run,
    { callsEach: 1.01, isFirst: false },
    { fairnessKey: 'nq+', fairnessWeight: 1 / 2 },
  ],
  [
    'more than a weight can tell',
    run,
    { callsEach: 5_000, isFirst: true },
    { fairnessWeight: 0.001 },
  ],
  ['a tenant', ask, { tenant, isFirst: true }, { fairnessKey: 'acme', fairnessWeight: 4 }],
  ['its later call', ask, { tenant, isFirst: false }, { fairnessKey: 'acme', fairnessWeight: 4 }],
  ['a run of a tenant', run, { tenant, isFirst: true }, { fairnessWeight: 4 }],
  [
    'a run of a tenant, with eight calls a question',
    run,
    { tenant, callsEach: 8, isFirst: false },
    { fairnessKey: 'nq+', fairnessWeight: 7 / 2 },
  ],
  [
    'a weight of its own',
    { ...ask, fairnessWeight: 2 },
    { tenant, isFirst: true },
    { fairnessKey: 'acme' },
  ],
])('gives a call its part of the share: %s', (_, own, place, part) => {
  expect(callPriority(own, place)).toEqual(part);
});

it.each([2, 7, 40, 227])(
  'parts the share of a run with %i calls a question, and no more',
  (callsEach) => {
    const [first, later] = [true, false].map((isFirst) =>
      callPriority(heavy, { callsEach, isFirst }),
    );
    expect(Number(first?.fairnessWeight) + Number(later?.fairnessWeight)).toBeCloseTo(4);
  },
);
