/** From answers to figures, by examples worked out by hand. */
import { expect, test } from 'vitest';
import { NO_USAGE, type Usage } from '../../../core/usage.js';
import { comparisonText } from '../../../evaluation/runs/comparison-text.js';
import { evaluateRuns, leadingMetric } from '../../../evaluation/runs/evaluate-runs.js';
import { metricFigures } from '../../../evaluation/runs/run-figures.js';
import { runDifferences } from '../../../evaluation/runs/run-identity.js';
import type { RunSource } from '../../../evaluation/runs/run-source.js';
import { dataSetsOf } from '../../../report/data-sets.js';
import { effortTable, stepPanels } from '../../../report/sections/effort.js';
import {
  answerOf,
  type Entry,
  questionOf,
  runOf,
  stepUsage,
  usageOf,
} from '../../support/runs/answers.js';

async function figuresOf(run: RunSource) {
  const { runs } = await evaluateRuns([run]);
  const [figures] = runs;
  if (!figures) throw new Error('There is no run.');
  return figures;
}

const late = { type: 'Timeout', message: 'It took 300 s.', step: 'read' };
const mixed = runOf('mixed', [
  [questionOf('a'), answerOf('a', 'answered', { em: 1, f1: 1 })],
  [questionOf('b'), answerOf('b', 'answered', { em: 0, f1: 0.5 })],
  [questionOf('c'), answerOf('c', 'unknown', { em: 0, f1: 0 })],
  // A score beside what is no answer does not count.
  [questionOf('d'), answerOf('d', 'unreadable', { em: 1, f1: 1 })],
  [questionOf('e'), answerOf('e', 'failed', { em: 0, f1: 0 }, { result: { failure: late } })],
  [
    questionOf('f'),
    {
      ...answerOf('f', 'failed', { em: 0, f1: 0 }),
      result: null,
      failure: { type: 'Terminated', message: 'By hand.', step: null },
    },
  ],
  [questionOf('g'), undefined],
]);

test('questions by the build that answered them, where it is known', async () => {
  const built = (build: string) => ({ result: { build } });
  const rolled = runOf('rolled', [
    [questionOf('a'), answerOf('a', 'answered', { em: 1 }, built('old'))],
    [questionOf('b'), answerOf('b', 'answered', { em: 1 }, built('new'))],
    [questionOf('c'), answerOf('c', 'unknown', { em: 0 }, built('new'))],
    [questionOf('d'), answerOf('d', 'answered', { em: 1 })],
  ]);
  expect((await figuresOf(rolled)).builds).toEqual({ old: 1, new: 2 });
  expect((await figuresOf(mixed)).builds).toEqual({});
});

test('outcomes, states and the three means', async () => {
  const figures = await figuresOf(mixed);
  expect(figures).toMatchObject({
    ended: 6,
    outcomes: { answered: 2, unknown: 1, unreadable: 1, failed: 2 },
    states: { right: 1, wrong: 1, unknown: 1, unreadable: 1, failed: 2 },
    rejectRate: 1 / 4,
  });
  expect(figures.metrics.map(({ metric }) => metric)).toEqual(['em', 'f1']);
  expect(metricFigures(figures, 'em')).toMatchObject({
    all: { questions: 6, mean: 1 / 6 },
    withoutFailed: { questions: 4, mean: 1 / 4 },
    answered: { questions: 2, mean: 1 / 2 },
  });
  const f1 = metricFigures(figures, 'f1');
  expect(f1?.all?.mean).toBeCloseTo(1.5 / 6, 12);
  expect(f1?.all?.low).toBeLessThan(f1?.all?.mean ?? 0);
  expect(f1?.scores.get('b')).toBe(0.5);
});

test('failures by kind, those without a result included', async () => {
  const { failures } = await figuresOf(mixed);
  expect(failures).toEqual([
    { type: 'Timeout', step: 'read', questions: 1, example: 'It took 300 s.' },
    { type: 'Terminated', step: null, questions: 1, example: 'By hand.' },
  ]);
});

test('usage by step, time, flags, and what the cache saved', async () => {
  const took = (id: string, seconds: number, cachedCalls: number) => {
    const usage = { calls: 4, cachedCalls, promptTokens: 100, costUsd: 0.02 };
    const cut = { kind: 'cut', step: 'read' } as const;
    return answerOf(
      id,
      'answered',
      { em: 1 },
      {
        endedAt: new Date(Date.parse('2026-11-20T08:00:00Z') + seconds * 1000).toISOString(),
        result: {
          usage: usageOf(usage),
          retrievals: 2,
          steps: { read: stepUsage(usage) },
          flags: ['x', 'y'].map((detail) => ({ ...cut, detail })),
          ...(cachedCalls > 0 && { workingSeconds: seconds / 10 }),
        },
      },
    );
  };
  const figures = await figuresOf(
    runOf('took', [
      [questionOf('a'), took('a', 2, 0)],
      [questionOf('b'), took('b', 4, 2)],
      [questionOf('c'), took('c', 12, 3)],
    ]),
  );
  expect(figures).toMatchObject({
    usage: { calls: 12, cachedCalls: 5, promptTokens: 300, costUsd: 0.06 },
    retrievals: 6,
    steps: [{ step: 'read', questions: 3, calls: 12, models: ['m'] }],
    flags: { cut: 3 },
    durations: { median: 4 },
    // Of the two of which it is known.
    working: { median: 0.8 },
  });
  // Between the second and the third of three: 4 + 0.8 * 8.
  expect(figures.durations?.p90).toBeCloseTo(10.4, 9);
});

test('Recall@k as deep as passages go, and coverage as a ratio of sums', async () => {
  const found = (id: string, hits: boolean[], coverage: { found: number; answers: number }) =>
    answerOf(id, 'unknown', { em: 0 }, { retrieval: { hits, recall: {}, coverage } });
  const figures = await figuresOf(
    runOf('found', [
      [questionOf('a'), found('a', [false, true, false], { found: 1, answers: 1 })],
      [questionOf('b'), found('b', [false, false, false], { found: 0, answers: 3 })],
      [questionOf('c'), answerOf('c', 'failed', { em: 0 })],
    ]),
  );
  expect(figures.metrics.map(({ metric }) => metric)).toEqual([
    'em',
    'coverage',
    'answerMrr@10',
    'answerMap',
    'recall@1',
    'recall@3',
  ]);
  expect(metricFigures(figures, 'recall@1')?.all).toMatchObject({ questions: 2, mean: 0 });
  expect(metricFigures(figures, 'recall@3')?.all?.mean).toBe(0.5);
  expect(metricFigures(figures, 'coverage')?.all?.mean).toBe(0.25);
});

test('a search that found nothing counts, what failed and runs that do not search do not', async () => {
  const of = (id: string, hits: boolean[], retrievals = 1) => {
    const coverage = { found: hits.filter(Boolean).length, answers: 1 };
    const retrieval = { hits, recall: {}, coverage };
    return answerOf(id, 'answered', { em: 0 }, { retrieval, result: { retrievals } });
  };
  const three = ['b', 'c', 'd'].map((id): Entry => [questionOf(id), of(id, [])]);
  const failed: Entry = [questionOf('e'), answerOf('e', 'failed', { em: 0 })];
  const run = (...entries: Entry[]) => figuresOf(runOf('r', entries));

  const mostlyEmpty = await run([questionOf('a'), of('a', [true])], ...three, failed);
  expect(metricFigures(mostlyEmpty, 'recall@1')?.all).toMatchObject({ questions: 4, mean: 0.25 });
  expect(metricFigures(mostlyEmpty, 'coverage')?.all).toMatchObject({ questions: 4, mean: 0.25 });

  const allEmpty = await run(...three, failed);
  expect(metricFigures(allEmpty, 'recall@1')?.all).toMatchObject({ questions: 3, mean: 0 });

  const fromMemory = await run([questionOf('a'), of('a', [], 0)]);
  expect(metricFigures(fromMemory, 'recall@1')).toBeUndefined();
});

test('a claim that cannot be settled is right where it is said to be unknown', async () => {
  const claim = (id: string) =>
    questionOf(id, { answerKind: 'label', answers: ['NOT ENOUGH INFO'] });
  const figures = await figuresOf(
    runOf('claims', [
      [claim('a'), answerOf('a', 'unknown', { accuracy: 1 })],
      [claim('b'), answerOf('b', 'unknown', { accuracy: 0 })],
      [claim('c'), answerOf('c', 'answered', { accuracy: 0 })],
    ]),
  );
  expect(figures.states).toMatchObject({ right: 1, unknown: 1, wrong: 1 });
  expect(figures.rejectRate).toBeCloseTo(2 / 3, 12);
  expect(metricFigures(figures, 'accuracy')).toMatchObject({
    all: { mean: 1 / 3 },
    answered: { questions: 1, mean: 0 },
  });
});

test('what a judge found is told of the answers that it was asked about, and of those that are missing', async () => {
  const long = (id: string) => questionOf(id, { answerKind: 'long', claims: ['x'] });
  const judged = (id: string, scores: Record<string, number>) => {
    const judgement = { scores, usage: usageOf({ calls: 3, costUsd: 0.01 }), verdicts: null };
    return answerOf(id, 'answered', {}, { judgement });
  };
  const unasked = { scores: { claimRecall: 0, citationF1: 0 }, usage: NO_USAGE, verdicts: null };
  const figures = await figuresOf(
    runOf('judged', [
      [long('a'), judged('a', { claimRecall: 1, citationF1: 0.5 })],
      [long('b'), judged('b', { claimRecall: 0.5, citationF1: 0 })],
      [long('c'), answerOf('c', 'failed', {}, { judgement: unasked })],
      // The judge failed: this answer is left out.
      [long('d'), answerOf('d', 'answered', {})],
      [questionOf('e'), answerOf('e', 'failed', { em: 0 })],
    ]),
  );
  expect(figures.judging).toMatchObject({ calls: 6, costUsd: 0.02 });
  expect(metricFigures(figures, 'claimRecall')?.all).toMatchObject({ questions: 3, mean: 0.5 });
  expect(metricFigures(figures, 'citationF1')?.all?.mean).toBeCloseTo(0.5 / 3, 12);
  expect(metricFigures(figures, 'em')?.all?.questions).toBe(1);
});

test('what the cache saved is what each of its calls had cost, and the paid ones stand apart', async () => {
  const of = (run: 'known' | 'unknown', usage: Usage) => {
    const result = { usage, steps: { read: stepUsage(usage) } };
    const answer = answerOf('a', 'answered', { em: 1 }, { result });
    const method = run === 'known' ? 'base' : 'sure';
    return runOf(run, [[questionOf('a'), answer]], { method });
  };
  const evaluation = await evaluateRuns([
    of('known', usageOf({ calls: 5, cachedCalls: 3, costUsd: 0.01, savedUsd: 0.9 })),
    of('unknown', usageOf({ calls: 3, cachedCalls: 3, savedUsd: null })),
  ]);
  const text = comparisonText(evaluation);
  expect(text).toMatch(/^ {2}saved by the cache +\$0\.90, 3 calls +3 calls$/m);
  expect(text).toMatch(/^paid calls a question +2 +0$/m);
  const page = dataSetsOf(evaluation)
    .flatMap((data) => [effortTable(data).source, stepPanels(data)?.source])
    .join('');
  expect(page).toContain('data-label="saved by the cache">$0.90, 3 calls</td>');
  expect(page).toContain('<th scope="row">read</th><td class="number">2</td>');
});

test('the leading metric is one that all runs have', async () => {
  const { runs } = await evaluateRuns([
    runOf('a', [[questionOf('a'), answerOf('a', 'answered', { em: 1, f1: 1 })]]),
    runOf('b', [[questionOf('a'), answerOf('a', 'answered', { f1: 1 })]]),
  ]);
  expect(leadingMetric(runs)?.metric).toBe('f1');
  expect(leadingMetric(runs.slice(0, 1))?.metric).toBe('em');
  expect(leadingMetric([])).toBeUndefined();
});

test('no question is read twice, and none is lost where runs have different ones', async () => {
  const entry = (id: string): Entry => [questionOf(id), answerOf(id, 'answered', { em: 1 })];
  const visited: string[] = [];
  const many = Array.from({ length: 150 }, (_, i) => entry(`q${i}`));
  const { runs, questions } = await evaluateRuns(
    [runOf('many', many), runOf('few', [entry('q3'), entry('x')])],
    { visit: ({ question }) => visited.push(question.id) },
  );
  expect(questions).toBe(151);
  expect(visited).toEqual([...many.map(([{ id }]) => id), 'x']);
  expect(runs.map(({ ended }) => ended)).toEqual([150, 2]);
});

test('says of how many answers another sample stands in for one that could not be read', async () => {
  const entries: Entry[] = [
    [questionOf('a'), answerOf('a', 'answered', { em: 1 }, { resample: 2 })],
    [questionOf('b'), answerOf('b', 'answered', { em: 1 })],
  ];
  const { notes } = await evaluateRuns([runOf('twice', entries)]);
  expect(notes).toContain(
    'twice: 1 answer could not be read at first, and another sample was asked for.',
  );
});

test('the same price of a later day is no difference between two starts of a run', () => {
  const { manifest } = runOf('priced', []);
  const price = { prompt: 1, cachedPrompt: 0.5, completion: 4 };
  const priced = (changes: object) => ({ ...manifest, prices: { m: { ...price, ...changes } } });
  for (const there of [priced({}), priced({ asOf: '2026-11-01' })]) {
    expect(runDifferences(there, priced({ asOf: '2026-11-27' }))).toEqual([]);
    expect(runDifferences(there, priced({ asOf: '2026-11-27', completion: 5 }))).toEqual([
      'prices.m.completion: 4 there, 5 here',
    ]);
  }
});
