/** Repeats of an experiment as one cell, and what runs are called. */
import { expect, test } from 'vitest';
import type { RunCell } from '../../../evaluation/runs/cells.js';
import { evaluateRuns } from '../../../evaluation/runs/evaluate-runs.js';
import { metricFigures } from '../../../evaluation/runs/run-figures.js';
import { labelRuns } from '../../../evaluation/runs/run-labels.js';
import { dataSetsOf } from '../../../report/data-sets.js';
import { answerOf, numbered, runOf } from '../../support/runs/answers.js';
import { manifestOf, studyRuns } from '../../support/runs/example-runs.js';

/** A run with a score a digit; "f" is a question that failed. */
function repeat(run: string, scores: string, seed: number) {
  const answer = (id: string, i: number) =>
    scores[i] === 'f'
      ? answerOf(id, 'failed', { em: 0 })
      : answerOf(id, 'answered', { em: Number(scores[i]) });
  return runOf(run, numbered(scores.length, answer), { input: { seed } });
}

test('repeats are one cell: a question is one draw, and the means of the runs have a spread', async () => {
  const { cells, comparisons } = await evaluateRuns([
    repeat('one', '1100', 1),
    repeat('two', '11f1', 2),
  ]);
  expect(cells).toHaveLength(1);
  expect(comparisons).toEqual([]);
  const [cell] = cells;
  if (!cell) throw new Error('There is no cell.');
  const em = metricFigures(cell.figures, 'em');
  expect(cell.runs).toEqual([0, 1]);
  expect(em?.all).toMatchObject({ mean: 0.625, questions: 4 });
  expect([...(em?.scores.values() ?? [])]).toEqual([1, 1, 0, 0.5]);
  // The third question is left with the answer of the first run.
  expect(em?.withoutFailed).toMatchObject({ mean: 0.625, questions: 4 });
  // Means of 0.5 and 0.75.
  expect(cell.spread.get('em')).toBeCloseTo(0.25 / Math.SQRT2, 12);
  expect(cell.figures).toMatchObject({ ended: 8, states: { right: 5, wrong: 2, failed: 1 } });
});

test('equal ids in two data sets are two questions, and a baseline is one of the same data and model', async () => {
  const runs = studyRuns(16, 24);
  const evaluation = await evaluateRuns(runs);
  expect(evaluation.questions).toBe(48);
  const data = dataSetsOf(evaluation);
  expect(data.map(({ title, cells }) => [title, cells.map(({ label }) => label)])).toEqual(
    ['nq.jsonl', 'hotpotqa.json'].map((file) => [
      file,
      ['genread · gpt-5-mini', 'genread · gpt-5-nano', 'sure · gpt-5-mini', 'sure · gpt-5-nano'],
    ]),
  );
  for (const { cells, comparisons, main } of data) {
    const at = (wanted: RunCell) => cells.findIndex(({ cell }) => cell === wanted);
    const pairs = comparisons
      .filter(({ metric }) => metric === main?.metric)
      .map(({ pair }) => [at(pair.first), at(pair.second)]);
    expect(pairs).toEqual([
      [1, 0],
      [2, 0],
      [3, 1],
    ]);
  }
});

test('a run is called by what it differs by', () => {
  const of = (run: string, rest: Parameters<typeof manifestOf>[0]['input'] = {}) =>
    manifestOf({ run, method: 'sure', input: rest });
  const k3 = of('k3', { options: { candidates: 3 } });
  expect(labelRuns([of('k2'), k3, manifestOf({ run: 'b', method: 'base' })])).toMatchObject({
    labels: ['sure · candidates 2', 'sure · candidates 3', 'base'],
    shared: 'model example-model, corpus sample',
  });
  expect(labelRuns([of('a', { seed: 1 }), of('b', { seed: 2 })]).labels).toEqual([
    'seed 1',
    'seed 2',
  ]);
  expect(labelRuns([of('a'), of('b')]).labels).toEqual(['a', 'b']);
  expect(labelRuns([of('alone')]).labels).toEqual(['alone']);
  const named = ['sure', 'sure-k3', 'sure-k4'].map((method, place) => {
    const study = { name: 's', method, dataset: 'nq', model: 'mini', place, repeat: 1 };
    return of(`s.${method}`, { options: { candidates: 2 + place }, study });
  });
  expect(labelRuns(named).labels).toEqual(['sure', 'sure-k3', 'sure-k4']);
  // Models as well, unless a run is of no study, which has no such name.
  const models = ['mini', 'nano'].map((model, place) => {
    const study = { name: 's', method: 'sure', dataset: 'nq', model, place, repeat: 1 };
    return of(`s.${model}`, { seed: place, study });
  });
  expect(labelRuns(models).labels).toEqual(['mini', 'nano']);
  expect(labelRuns([...models, k3]).shared).toContain('model example-model');
});
