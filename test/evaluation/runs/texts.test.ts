/** Figures and answers as text: numbers, the comparison for the terminal, exported lines. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wrapped } from '../../../evaluation/runs/columns.js';
import { comparisonText } from '../../../evaluation/runs/comparison-text.js';
import { evaluateRuns } from '../../../evaluation/runs/evaluate-runs.js';
import { type ExportedAnswer, exportRun } from '../../../evaluation/runs/export-line.js';
import {
  count,
  dollarsOrUnknown,
  percent,
  points,
  pValue,
  seconds,
} from '../../../evaluation/runs/number-text.js';
import { openRuns } from '../../../evaluation/runs/run-source.js';
import { dataSetsOf } from '../../../report/data-sets.js';
import { allMetricsTable, scoreTable } from '../../../report/sections/scores.js';
import { answerOf, type Entry, questionOf, runOf, usageOf } from '../../support/runs/answers.js';
import { exampleRun, storeOf } from '../../support/runs/example-runs.js';

test.each([
  [percent(0.3344), '33.4'],
  [points(0.05), '+5.0'],
  [points(-0.0523), '−5.2'],
  [points(-0.0001), '0.0'],
  [count(1234), '1,234'],
  [count(7.254), '7.25'],
  [count(33.44), '33.4'],
  [dollarsOrUnknown(null), 'unknown'],
  [dollarsOrUnknown(0), '$0'],
  [dollarsOrUnknown(1204.5), '$1,204.50'],
  [dollarsOrUnknown(1234567.891), '$1,234,567.89'],
  [dollarsOrUnknown(0.0999), '$0.1'],
  [dollarsOrUnknown(0.0041), '$0.0041'],
  [dollarsOrUnknown(0.000123), '$0.00012'],
  [dollarsOrUnknown(4e-15), '$0'],
  [seconds(0.85), '850 ms'],
  [seconds(0.9996), '1.0 s'],
  [seconds(12.34), '12.3 s'],
  [seconds(99.96), '1 min 40 s'],
  [seconds(245), '4 min 5 s'],
  [pValue(0.0004), '< 0.001'],
  [pValue(0.0123), '0.012'],
  [pValue(1), '1.00'],
])('%s', (written, expected) => {
  expect(written).toBe(expected);
});

test('a difference has the sign of its rounded value', () => {
  fc.assert(
    fc.property(fc.double({ min: -1, max: 1, noNaN: true }), (difference) => {
      const text = points(difference);
      expect(Number(text.replace('−', '-'))).toBeCloseTo(100 * difference, 1);
      expect(text.startsWith('+') || text.startsWith('−')).toBe(!/^0\.0$/.test(text));
    }),
  );
});

test.each([
  ['sure-vs-base.base.nq.nano.r1-c07e9aff', 16, ['sure-vs-base.', 'base.nq.nano.r1-', 'c07e9aff']],
  ['demo.open.nq.mini.r1', 14, ['demo.open.nq.', 'mini.r1']],
  ['generateCandidates', 8, ['generate', 'Candidat', 'es']],
  ['a-generateCandidates', 12, ['a-generateCa', 'ndidates']],
])('%s is broken between its parts', (name, width, expected) => {
  expect(wrapped(name, width)).toEqual(expected);
});

test('runs side by side', async () => {
  const usage = usageOf({ calls: 2, promptTokens: 10, costUsd: 0.5 });
  const flags = [{ kind: 'longAnswer' as const, step: 'read', detail: '10 passages' }];
  const result = { usage, retrievals: 1, workingSeconds: 0.04, flags };
  const one = runOf('one', [
    [questionOf('a'), answerOf('a', 'answered', { em: 1 }, { result })],
    [questionOf('b'), answerOf('b', 'failed', { em: 0 }, { result })],
    [questionOf('c'), undefined],
  ]);
  const two = runOf(
    'the-other-one',
    [
      [questionOf('a'), answerOf('a', 'answered', { em: 0 })],
      [questionOf('b'), answerOf('b', 'unknown', { em: 0 })],
    ],
    { method: 'sure' },
  );
  expect(comparisonText(await evaluateRuns([one, two]), 90)).toBe(
    `
                               one                                the-other-one
method                         base                               sure
data set                       bridges.jsonl                      bridges.jsonl
model                          example-model                      example-model
seed                           0                                  0
questions ended                2 of 3                             2 of 2
EM                             50.0 (9.5 to 90.5, n = 2 of 3)     0.0 (0.0 to 65.8)
  failed left out              100.0 (20.7 to 100.0, n = 1 of 3)  0.0 (0.0 to 65.8)
  answered only                100.0 (20.7 to 100.0, n = 1 of 3)  0.0 (0.0 to 79.3)
right                          1                                  0
wrong                          0                                  1
unknown                        0                                  1
unreadable                     0                                  0
failed                         1                                  0
long answers                   2
reject rate                    0.0                                50.0
paid calls a question          2                                  0
searches a question            1                                  0
prompt tokens a question       10                                 0
completion tokens a question   0                                  0
cost                           $1.00                              $0
working time, median           40 ms
working time, 90th percentile  40 ms
wall time, median              4.0 s                              4.0 s
wall time, 90th percentile     4.0 s                              4.0 s

Differences are in percentage points, each run minus its baseline. A question without an
answer counts as wrong. Test: paired score test (McNemar) with the variance of Bonett and
Price.
  the-other-one minus one, EM: −50.0 (−93.2 to +51.6 at 95 %), p 0.41, 0 right in
  the-other-one only, 1 in one only, 2 questions, fewer than 20 questions, so nothing is
  concluded
`
      .slice(1)
      .trimEnd(),
  );
});

test('many runs are no wider than the terminal, and nothing of them is left out', async () => {
  const runs = Array.from({ length: 20 }, (_, i) =>
    exampleRun({ run: `${'a-long-name-'.repeat(1 + (i % 8))}${i}`, method: 'base', questions: 8 }),
  );
  for (const [, source] of runs.entries()) source.manifest.input.seed = runs.indexOf(source);
  const evaluation = await evaluateRuns(runs);
  const whole = comparisonText(evaluation, 10_000);
  const words = (text: string) => text.replaceAll(/\s+/g, '');
  for (const width of [60, 80, 133]) {
    const text = comparisonText(evaluation, width);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(width);
    for (const { manifest } of runs) expect(words(text)).toContain(manifest.run.slice(-12));
    // Below the figures the words are the same.
    const notes = (all: string) => words(all.slice(all.indexOf('The same experiment twice')));
    expect(notes(text)).toBe(notes(whole));
  }
});

test('an exported line holds the question, its figures and its result', async () => {
  const exported: ExportedAnswer[] = [];
  for await (const line of exportRun(exampleRun({ run: 'r', method: 'base', questions: 30 }))) {
    exported.push(JSON.parse(line));
  }
  expect(exported).toHaveLength(30);
  expect(exported[0]).toMatchObject({
    id: 'bridge-0',
    answers: [expect.any(String)],
    outcome: 'answered',
    prediction: exported[0]?.result?.answer,
    metrics: { em: expect.any(Number), f1: expect.any(Number), 'recall@5': 1 },
    usage: { calls: 1 },
    result: { method: 'base', chain: { passages: expect.any(Array) } },
  });
  expect(exported[21]).toMatchObject({
    outcome: 'failed',
    prediction: null,
    failure: { type: 'ContextTooLong' },
  });
  expect(exported[27]).toMatchObject({ outcome: 'failed', usage: null, result: null });
  const times = [
    questionOf('t'),
    answerOf('t', 'answered', {}, { result: { workingSeconds: 0.04 } }),
  ];
  for await (const line of exportRun(runOf('timed', [times as unknown as Entry]))) {
    expect(JSON.parse(line)).toMatchObject({ seconds: 4, workingSeconds: 0.04 });
  }
});

test('a run that is not there is refused, one named twice is opened once', async () => {
  const store = storeOf([exampleRun({ run: 'here', method: 'base', questions: 3 })]);
  expect(await openRuns(store, ['here', 'here'])).toHaveLength(1);
  await expect(openRuns(store, ['here', 'gone'])).rejects.toThrow('There is no run "gone"');
});

test('a metric that applies to some of the questions says to how many, wherever it is shown', async () => {
  const kinds = { em: 'span', accuracy: 'label' } as const;
  const entry = (id: string, metric: keyof typeof kinds): Entry => [
    questionOf(id, { answerKind: kinds[metric] }),
    answerOf(id, 'answered', { [metric]: 1 }),
  ];
  const run = runOf('mixed', [entry('a', 'em'), entry('b', 'em'), entry('c', 'accuracy')]);
  const evaluation = await evaluateRuns([run]);
  const text = comparisonText(evaluation);
  expect(text).toMatch(/^EM +100\.0 \(34\.2 to 100\.0, n = 2 of 3\)$/m);
  expect(text).toMatch(/^Acc +100\.0 \(20\.7 to 100\.0, n = 1 of 3\)$/m);
  const page = dataSetsOf(evaluation)
    .flatMap((data) => [scoreTable(data)?.source, allMetricsTable(data).source])
    .join('');
  expect(page).toContain('<small>34.2–100.0, n = 2 of 3</small>');
  expect(page).toContain('<small>20.7–100.0</small>');
});
