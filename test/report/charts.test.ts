/** Figures of runs at the edges: nothing ended, everything failed, no time passed. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { evaluateRuns } from '../../evaluation/runs/evaluate-runs.js';
import type { RunSource } from '../../evaluation/runs/run-source.js';
import { methodRegistry } from '../../interpreters/methods.js';
import { linearMap, linearScale, logScale } from '../../report/charts/scale.js';
import { dataSetsOf } from '../../report/data-sets.js';
import { documentHead, questionIndex } from '../../report/document.js';
import { answerOf, questionOf, runOf } from '../support/runs/answers.js';
import { exampleRun } from '../support/runs/example-runs.js';

const value = fc.double({ min: -1e6, max: 1e6, noNaN: true });
const positive = fc.double({ min: 1e-6, max: 1e6, noNaN: true });

test('a linear scale has room for all values, and ticks that rise', () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1 }), (values) => {
      const scale = linearScale(values, 0, 100);
      for (const inside of [...values, ...scale.ticks]) {
        expect(scale(inside)).toBeGreaterThanOrEqual(-0.01);
        expect(scale(inside)).toBeLessThanOrEqual(100.01);
      }
      expect(scale.ticks).toEqual(scale.ticks.toSorted((a, b) => a - b));
      expect(scale.ticks.length).toBeGreaterThan(1);
      expect(scale.ticks.length).toBeLessThan(9);
    }),
  );
});

test('a scale of factors keeps the order of the values', () => {
  fc.assert(
    fc.property(positive, positive, (a, b) => {
      const scale = logScale([a, b], 0, 100);
      expect(Math.sign(scale(a) - scale(b)) * Math.sign(a - b)).toBeGreaterThanOrEqual(0);
      expect(scale.ticks.every((tick) => scale(tick) >= -0.01 && scale(tick) <= 100.01)).toBe(true);
    }),
  );
  expect(linearMap(1, 1, 0, 10)(1)).toBe(0);
});

const instant = { endedAt: '2026-11-20T08:00:00.000Z' };

test.each<[string, RunSource[]]>([
  ['nothing ended', [runOf('new', [[questionOf('a'), undefined]])]],
  ['no question', [runOf('empty', [])]],
  [
    'one question, no time',
    [runOf('one', [[questionOf('a'), answerOf('a', 'answered', { em: 1 }, instant)]])],
  ],
  [
    'all failed, against nothing ended',
    [
      runOf('failed', [[questionOf('a'), answerOf('a', 'failed', { em: 0 })]]),
      runOf('new', [[questionOf('a'), undefined]], { method: 'sure' }),
    ],
  ],
  [
    'more runs than colours',
    Array.from({ length: 10 }, (_, i) =>
      exampleRun({ run: `r${i}`, method: 'base', questions: 5, input: { seed: i } }),
    ),
  ],
  ['no score', [runOf('none', [[questionOf('a'), answerOf('a', 'answered', {})]])]],
])('%s: every number is one', async (_, runs) => {
  const evaluation = await evaluateRuns(runs);
  const data = dataSetsOf(evaluation);
  const { source } = documentHead(evaluation, data, questionIndex(evaluation, data, [], []), {
    style: '',
    policy: '',
    methods: methodRegistry(),
    explanations: [],
    marked: [],
  });
  expect(source).not.toMatch(/NaN|Infinity|undefined|\[object/);
});
