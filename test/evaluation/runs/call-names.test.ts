/** Names of the calls of a question, and what each took. */
import { expect, it } from 'vitest';
import { callFigures } from '../../../evaluation/runs/call-figures.js';
import { callAt, callNames } from '../../../evaluation/runs/call-names.js';
import type { CallEvent, CallRecord } from '../../../steps/call-record.js';

const called = (more: object, last = true): CallEvent => {
  const tokens = { promptTokens: 100, cachedPromptTokens: 0, completionTokens: 10 };
  const usage = { cached: false, ...tokens, costUsd: 0.25 };
  return { kind: 'called', output: { usage, model: 'm', prompt: 'p', key: 'k', ...more }, last };
};
const record = (step: string, hash: string, events: CallEvent[] = []): CallRecord => ({
  address: `${step} ${hash}`,
  step,
  label: hash,
  output: hash,
  events,
});
const calls = [
  record('retrieve', 'a', [{ kind: 'searched', found: 3 }]),
  record('summarize', 'b'),
  record('summarize', 'c', [called({ unread: '?' }, false), called({})]),
  record('summarize', 'b'),
];

it('counts the different calls of a step; equal ones share a name', () => {
  const names = callNames(calls);
  expect(calls.map(({ address }) => names.get(address))).toEqual([
    'retrieve[1]',
    'summarize[1]',
    'summarize[2]',
    'summarize[1]',
  ]);
  // Whichever came back first.
  expect(new Map(callNames(calls.toReversed()))).toEqual(names);
});

it('finds a call by name, by address, and by a step that has one', () => {
  const found = (at: string) => callAt(calls, at, '--at').label;
  expect(['summarize[2]', 'summarize c', 'retrieve'].map(found)).toEqual(['c', 'c', 'a']);
  expect(() => found('summarize')).toThrow(
    '--at: the question has no call "summarize"; it has retrieve[1], summarize[1] to summarize[2]',
  );
});

it('adds up what a call took', () => {
  const [search, , again] = callFigures(calls);
  expect(search).toMatchObject({ found: 3, models: [], usage: { calls: 0 } });
  expect(again).toMatchObject({ reasked: 1, fallback: false, usage: { calls: 2, costUsd: 0.5 } });
  const [lost] = callFigures([record('validate', 'd', [called({ unread: '?' })])]);
  expect(lost).toMatchObject({ name: 'validate[1]', reasked: 0, fallback: true });
});
