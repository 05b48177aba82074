/** What the report shows of decided comparisons, and of runs that are explained. */
import { expect, test } from 'vitest';
import type { RunSource } from '../../evaluation/runs/run-source.js';
import { answerOf, numbered, runOf, usageOf } from '../support/runs/answers.js';
import { reportOf } from '../support/runs/report-of.js';

const RULE = {
  delta: 0,
  alpha: 0.05,
  failures: 'wrong' as const,
  about: 'questionsLikeThese' as const,
};

/** Of 100 questions the first 40 are asked. */
function cell(method: string, place: number, isRight: (i: number) => boolean): RunSource {
  const taken = { result: { usage: usageOf({ calls: 2, costUsd: 0.01 }) } };
  const entries = numbered(100, (id, i) =>
    i < 40 ? answerOf(id, 'answered', { em: Number(isRight(i)) }, taken) : undefined,
  );
  const labels = { name: 'raced', method, dataset: 'facts', model: 'mini', repeat: 1 };
  const study = { ...labels, place, baseline: 'base', untilDecided: RULE };
  return runOf(`raced-${method}`, entries, { method: method as 'base', input: { study } });
}

test('draws the difference with its band, says where it was decided and what was not asked', async () => {
  const runs = [cell('base', 0, (i) => i % 4 === 0), cell('sure', 1, () => true)];
  const html = await reportOf(runs);
  expect(html).toContain('<title>decided after 10</title>');
  expect(html).toMatch(/EM, points, by questions asked: \+75\.0 \(.* to .*\) after 40/);
  expect(html).toContain('decided after 10, for questions like these');
  expect(html).toContain('Not asked: 120 of 200 answers, some 240 calls and $1.20.');
  // A test of fixed size is no picture beside it.
  expect(html).not.toContain('by a test that Holm corrects');
  expect(await reportOf(runs.slice(1))).not.toContain('by questions asked');
  // Of a study of five comparisons, these two cells are still one of five.
  for (const { manifest } of runs) {
    Object.assign(manifest.input.study ?? {}, { comparisons: 5 });
  }
  expect(await reportOf(runs)).toContain('<title>decided after 14</title>');
});

test('shows where wrong answers were lost, and what a perfect step would be worth', async () => {
  const steps = [
    { step: 'read', more: { mean: 0.3, low: 0.1, high: 0.5 }, needsCalls: 0 },
    { step: 'rankPair', more: { mean: -0.02, low: -0.1, high: 0.06 }, needsCalls: 4 },
  ];
  const lost = [{ at: 'read: reads or judges wrongly', questions: 12 }];
  const explained = { run: 'raced-sure', metric: 'EM', right: 28, lost, steps };
  const runs = [cell('base', 0, () => false), cell('sure', 1, () => true)];
  const html = await reportOf(runs, { explanations: [explained] });
  expect(html).toContain('sure: 12 wrong answers, 28 right');
  expect(html).toContain('read: reads or judges wrongly <small>12 questions</small>');
  expect(html).toMatch(/perfect rankPair: −2\.0 \(−10\.0 to \+6\.0\), 4 questions left out/);
  expect(await reportOf(runs)).not.toContain('Where wrong answers were lost');
});
