/** Which thread of a worker its CPU time is told of. */
import { expect, it } from 'vitest';
import { byRole, type Thread, threadOfStat } from '../../bench/speed/threads.js';

const thread = (id: number, name: string, cpuMs: number): Thread => ({ id, name, cpuMs });

/** As a worker has them; each time is a power of two, so that sums tell what is in them. */
const threads = [
  thread(100, 'node', 1),
  ...[101, 102, 103, 104, 105].map((id) => thread(id, 'node', 2)),
  thread(107, 'node', 16),
  thread(108, 'node', 16),
  thread(110, 'tokio-runtime-w', 64),
  thread(112, 'node', 128),
  thread(113, 'temporal-real-s', 256),
  thread(114, 'workflow-proces', 512),
  thread(120, 'tokio-rt-worker', 1024),
  thread(121, 'lance-cpu', 2048),
];

it('tells threads apart by name, and those of Node by when they begin', () => {
  expect(byRole(threads.toReversed(), 100)).toEqual({
    main: 1,
    v8: 10,
    node: 32,
    workflows: 128,
    sdk: 64 + 256 + 512,
    lance: 1024 + 2048,
  });
});

it('follows the ids where Linux has begun at the lowest again', () => {
  const renumbered = threads.map((one) => ({ ...one, id: one.id < 110 ? one.id : one.id - 108 }));
  expect(byRole(renumbered, 100)).toEqual(byRole(threads, 100));
});

it('counts every thread once', () => {
  const sum = (figures: readonly number[]) => figures.reduce((a, b) => a + b, 0);
  expect(sum(Object.values(byRole(threads, 100)))).toBe(sum(threads.map(({ cpuMs }) => cpuMs)));
});

it("reads Linux's line, also of a name with spaces and brackets", () => {
  const stat = '112 (a (b) c) S 1 1 1 0 -1 4194560 9 0 0 0 250 50 0 0 20 0 1 0 77 0 0';
  expect(threadOfStat(stat)).toEqual({ name: 'a (b) c', cpuMs: 3000 });
});
