import { expect, it } from 'vitest';
import type { InProcessSources } from '../../activities/runtime/ports.js';
import { canSearchInProcess } from '../../activities/runtime/prepare.js';
import type { SearchSource } from '../../steps/non-model-steps.js';

const all: InProcessSources = { corpus: (name) => name === 'wiki@1', passages: true };
const supplied = [{ id: 'p1', title: 'One', score: 1 }];

it.each<[string, SearchSource, boolean]>([
  ['by words', { corpus: 'wiki@1' }, true],
  ['by words, said so', { corpus: 'wiki@1', mode: 'bm25' }, true],
  ['by vectors, which are paid for', { corpus: 'wiki@1', mode: 'dense' }, false],
  ['by both', { corpus: 'wiki@1', mode: 'hybrid' }, false],
  ['in a corpus that is elsewhere', { corpus: 'far' }, false],
  ['in its own passages', { supplied }, true],
])('a question that searches %s', (_, source, expected) => {
  expect(canSearchInProcess(source, all)).toBe(expected);
  expect(canSearchInProcess(source, undefined)).toBe(false);
});

it('does not read passages that are on a server', () => {
  expect(canSearchInProcess({ supplied }, { ...all, passages: false })).toBe(false);
});
