/** When a batch is made, of what, and under which mark. */
import { describe, expect, it } from 'vitest';
import {
  byPrefix,
  chooseRequests,
  isDue,
  markOf,
} from '../../../activities/provider-batches/when-due.js';

const NOW = 1_000_000;
const waiting = (...ages: number[]) =>
  ages.map((age, i) => ({ id: `id-${i}`, bytes: 400, at: NOW - age }));
const wish = { waitSeconds: 60, size: 5 };

it.each([
  ['nothing waits', [], false],
  ['it is young', [59_000, 50_000], false],
  ['it is old and nothing comes any more', [60_000, 15_000], true],
  ['it is old and the wave still comes in', [60_000, 14_000], false],
  ['the wave has come in for very long', [300_000, 0], true],
  ['there are enough', [1, 1, 1, 1, 1], true],
])('isDue: %s', (_, ages, due) => {
  expect(isDue(waiting(...ages), wish, NOW)).toBe(due);
});

describe('chosen', () => {
  const limits = { requests: 100, bytes: 100_000 };
  const all = waiting(1, 3, 2, 4, 6, 5);

  it('takes the oldest first, as many as somebody wishes', () => {
    const ids = chooseRequests(all, wish, limits, { tokens: null, isAlone: true });
    expect(ids).toEqual(['id-4', 'id-5', 'id-3', 'id-1', 'id-2']);
  });

  it.each([
    ['requests', { requests: 2, bytes: 100_000 }, null, 2],
    ['bytes', { requests: 100, bytes: 1300 }, null, 3],
    ['tokens under way', limits, 250, 2],
    ['one at least', { requests: 100, bytes: 1 }, 1, 1],
  ])('keeps to the limit: %s', (_, these, tokens, count) => {
    expect(chooseRequests(all, wish, these, { tokens, isAlone: true })).toHaveLength(count);
  });

  it('waits for another batch where there is no room beside it', () => {
    const beside = (tokens: number | null) =>
      chooseRequests(all, wish, limits, { tokens, isAlone: false });
    expect([null, 250, 99, 0].map((tokens) => beside(tokens).length)).toEqual([5, 2, 0, 0]);
  });
});

it('puts prompts that begin alike beside each other, whatever order they came in', () => {
  const request = (id: string, content: string) => ({
    id,
    request: { model: 'm', temperature: 0, maxTokens: 1, messages: [message(content)] },
  });
  const message = (content: string) => ({ role: 'user' as const, content });
  const mixed = [request('1', 'B then x'), request('2', 'A then y'), request('3', 'B then a')];
  const order = byPrefix(mixed).map(({ id }) => id);
  expect(order).toEqual(['2', '3', '1']);
  expect(byPrefix(mixed.reverse()).map(({ id }) => id)).toEqual(order);
});

it('marks a batch by its content, and the same content of another batch otherwise', () => {
  const mark = markOf('run/0', ['a', 'b']);
  expect(mark).toMatch(/^[0-9a-f]{40}$/);
  expect(markOf('run/0', ['a', 'b'])).toBe(mark);
  expect(markOf('run/0', ['b', 'a'])).not.toBe(mark);
  expect(markOf('run/1', ['a', 'b'])).not.toBe(mark);
});
