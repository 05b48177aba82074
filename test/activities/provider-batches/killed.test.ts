/**
 * A worker that is killed between any two steps of a batch, of a call that goes into the pool or of
 * the collector: what the store and the provider have is enough for the next one to go on.
 */
import { expect, it } from 'vitest';
import { collecting, questionIn } from '../../support/collecting.js';

/** Two ask the same; the line of the last one fails the first time, so that there is a second batch. */
const questions = ['river 1?', 'river 2?', 'river 1?', 'river 3?'];

const asked = (killAfter?: number) =>
  collecting({
    questions,
    killAfter,
    line: ({ messages }, times) =>
      times === 0 && questionIn(messages[0]?.content) === 'river 3'
        ? { status: 500, error: { message: 'broken' } }
        : undefined,
  });

const { effects } = await asked();
const kills = effects.map((effect, at): [string, number] => [`${effect} (${at + 1})`, at]);

it('has every step in its table', () => {
  const steps = [
    'write waiter',
    'write request',
    'extend heartbeat',
    'start the collector',
    'write plan',
  ];
  const batch = ['upload', 'write claim', 'search the list', 'create', 'look', 'read a line'];
  const answers = ['write response', 'complete', 'drop waiter', 'drop request', 'drop plan'];
  expect(new Set(effects)).toEqual(new Set([...steps, ...batch, ...answers, 'drop claim']));
});

it.concurrent.each(kills)('loses and pays nothing: killed after %s', async (_, at) => {
  const { calls, wasKilled, paid, batches, left } = await asked(at);
  expect(wasKilled()).toBe(true);
  const answers = ['About river 1', 'About river 2', 'About river 1', 'About river 3'];
  expect(calls.map(({ output }) => output?.value)).toEqual(answers);
  // Each request was paid once, and one of those who asked it says so.
  expect(paid).toEqual([1, 1, 1]);
  expect(calls.filter(({ output }) => output && !output.usage.cached)).toHaveLength(3);
  expect(batches).toEqual([3, 1]);
  // What stays of a claim belongs to no batch any more.
  expect(left.filter((space) => space !== 'claim')).toEqual([]);
});
