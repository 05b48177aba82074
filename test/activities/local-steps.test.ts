import { describe, expect, it } from 'vitest';
import { type InProcess, localSteps } from '../../activities/runtime/local-steps.js';
import type { Source } from '../../steps/other/retrieve.js';
import type { LocalStep } from '../../workflows/activities/question.js';

const all: InProcess = { corpus: (name) => name === 'wiki@1', passages: true, runs: true };
const supplied = [{ id: 'p1', title: 'One', score: 1 }];

describe('the local steps of a question', () => {
  it.each<[string, Source, LocalStep[]]>([
    ['by words', { corpus: 'wiki@1' }, ['retrieve', 'recordAnswer']],
    ['by words, said so', { corpus: 'wiki@1', mode: 'bm25' }, ['retrieve', 'recordAnswer']],
    ['by vectors, which are paid for', { corpus: 'wiki@1', mode: 'dense' }, ['recordAnswer']],
    ['by both', { corpus: 'wiki@1', mode: 'hybrid' }, ['recordAnswer']],
    ['in a corpus that is elsewhere', { corpus: 'far' }, []],
    ['in its own passages', { supplied }, ['retrieve', 'recordAnswer']],
  ])('that searches %s', (_, source, expected) => {
    expect(localSteps(source, true, all)).toEqual(expected);
  });

  it('are none where nothing is said of the worker', () => {
    expect(localSteps({ corpus: 'wiki@1' }, true, undefined)).toEqual([]);
  });

  it('do not read passages, or write runs, that are on a server', () => {
    expect(localSteps({ supplied }, true, { ...all, passages: false })).toEqual([]);
    expect(localSteps({ supplied }, true, { ...all, runs: false })).toEqual(['retrieve']);
    expect(localSteps({ supplied }, false, all)).toEqual(['retrieve']);
  });
});
