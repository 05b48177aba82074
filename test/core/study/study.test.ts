/** From a study to its runs: names, seeds, and how a bad study is refused. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StudyRunProgress } from '../../../core/study/cell.js';
import { withCounts } from '../../../core/study/cell-progress.js';
import { cellsOf, parseStudy, type StudyInput, seedOfRepeat } from '../../../core/study/study.js';

const study = (more: Partial<StudyInput> = {}): StudyInput => ({
  name: 'sure-vs-base',
  methods: ['base', { sure: { candidates: 2 } }, { sure: { candidates: 3 }, as: 'sure-k3' }],
  datasets: ['nq.jsonl.gz', { file: 'hotpotqa.json', sample: 500, as: 'hotpot' }],
  models: ['gpt-5-mini', { default: 'gpt-5-mini', rankPair: 'gpt-5-nano', as: 'mixed' }],
  repeats: 3,
  baseline: 'base',
  ...more,
});
const runs = (more: Partial<StudyInput> = {}) =>
  cellsOf(parseStudy(study(more)), new Map([['nq', 'hash-1']])).flatMap(({ inputs }) => inputs);

describe('cells', () => {
  it('are all combinations, with a run a repeat', () => {
    const inputs = runs();
    expect(inputs).toHaveLength(3 * 2 * 2 * 3);
    expect(new Set(inputs.map(({ run }) => run)).size).toBe(36);
    const [first, second] = inputs;
    expect(first).toMatchObject({
      run: expect.stringMatching(/^sure-vs-base\.base\.nq\.gpt-5-mini\.r1-[0-9a-f]{8}$/),
      method: 'base',
      dataset: 'hash-1',
      models: { default: 'gpt-5-mini' },
      seed: 0,
      study: { name: 'sure-vs-base', method: 'base', dataset: 'nq', place: 0, baseline: 'base' },
    });
    expect(second?.seed).toBe(seedOfRepeat(0, 2));
    expect(inputs.at(-1)).toMatchObject({
      method: 'sure',
      options: { candidates: 3 },
      sample: 500,
      models: { default: 'gpt-5-mini', rankPair: 'gpt-5-nano' },
      study: { method: 'sure-k3', dataset: 'hotpot', model: 'mixed', place: 11, repeat: 3 },
    });
  });

  it('keep their runs when others are added, and get new ones when they change', () => {
    const before = new Set(runs().map(({ run }) => run));
    const added = runs({ methods: [...study().methods, 'hyde'] }).map(({ run }) => run);
    expect(added.filter((run) => before.has(run))).toHaveLength(36);
    const changed = runs({ methods: ['base', 'sure', { sure: { candidates: 4 }, as: 'sure-k3' }] });
    const kept = changed.filter(({ run }) => before.has(run));
    expect(new Set(kept.map((run) => run.study?.method))).toEqual(new Set(['base']));
    const pace = { concurrency: 3, requestsPerMinute: 60, pauseAfter: null };
    const budget = runs({ budgetUsd: 5, baseline: 'sure', ...pace });
    expect(budget.every(({ run }) => before.has(run))).toBe(true);
  });

  it('are of some data sets and models alone, if a method says so, under one name', () => {
    const methods: StudyInput['methods'] = [
      'base',
      { sure: { candidates: 2 }, as: 'sure', datasets: ['nq'] },
      { sure: { candidates: 3 }, as: 'sure', datasets: ['hotpot'], models: ['mixed'] },
    ];
    const parsed = parseStudy(study({ methods, repeats: 1 }));
    const cells = cellsOf(parsed, new Map([['nq', 'hash-1']]));
    const asked = cells.map(({ method, dataset, model }) => `${method} ${dataset} ${model}`);
    expect(asked).toEqual([
      'base nq gpt-5-mini',
      'sure nq gpt-5-mini',
      'base nq mixed',
      'sure nq mixed',
      'base hotpot gpt-5-mini',
      'base hotpot mixed',
      'sure hotpot mixed',
    ]);
    const inputs = cells.flatMap((cell) => cell.inputs);
    expect(inputs.map(({ options }) => options?.candidates).filter(Boolean)).toEqual([2, 2, 3]);
    // Those that have a baseline on the same data set with the same model.
    expect(new Set(inputs.map((run) => run.study?.comparisons))).toEqual(new Set([3]));
    const kept = new Set(runs().map(({ run }) => run));
    expect(inputs.filter(({ run, method }) => method === 'base' && !kept.has(run))).toEqual([]);
  });

  it('keep the file of the study with the first that is asked', () => {
    const methods: StudyInput['methods'] = [{ sure: {}, datasets: ['hotpot'] }, 'base'];
    const [first, ...others] = runs({ methods });
    expect(first?.study?.definition).toMatchObject({ name: 'sure-vs-base' });
    expect(others.flatMap((run) => run.study?.definition ?? [])).toEqual([]);
  });

  it('have names that a run may have, however long the labels are', () => {
    const label = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/);
    fc.assert(
      fc.property(fc.tuple(label, label, label), ([name, as, model]) => {
        const inputs = runs({
          name,
          models: [{ default: 'm', as: model }],
          methods: [{ base: {}, as }],
          baseline: as,
        });
        for (const { run } of inputs) expect(run).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/);
        expect(new Set(inputs.map(({ run }) => run)).size).toBe(inputs.length);
      }),
    );
  });
});

it('seeds of repeats are far from each other, and the first is that of the study', () => {
  const seeds = [0, 1, 2, 7].flatMap((seed) => [1, 2, 3, 4, 5].map((n) => seedOfRepeat(seed, n)));
  expect(seeds.slice(0, 20).filter((_, at) => at % 5 === 0)).toEqual([0, 1, 2, 7]);
  const drawn = seeds.filter((_, at) => at % 5 !== 0).toSorted((a, b) => a - b);
  for (const [at, seed] of drawn.entries()) {
    expect(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31).toBe(true);
    if (at > 0) expect(seed - Number(drawn[at - 1])).toBeGreaterThan(1000);
  }
});

it('counts the questions of a run as far as the run itself has, and never back', () => {
  const outcomes = (failed: number) =>
    ({ answered: 0, unknown: 0, unreadable: 0, failed }) as never;
  const run: StudyRunProgress = {
    run: 'r1',
    state: 'running',
    rounds: 1,
    questions: 20,
    done: 10,
    failed: 2,
  };
  const after = (done: number, failed: number, questions = 20) => {
    return withCounts(run, { questions, done, outcomes: outcomes(failed) });
  };
  expect(after(14, 3)).toEqual({ ...run, done: 14, failed: 3 });
  // A round that has just begun reads what was answered before.
  expect(after(4, 0)).toEqual(run);
  expect(after(0, 0, 0)).toEqual(run);
  // A question that failed before was asked again.
  expect(after(10, 1)).toEqual({ ...run, failed: 1 });
});
