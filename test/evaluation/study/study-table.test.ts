/** A study from its answers to its tables. */
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StudyCells } from '../../../core/study/cell.js';
import type { RunSource } from '../../../evaluation/runs/run-source.js';
import { meanInterval } from '../../../evaluation/statistics/score-interval.js';
import { longCsv, longHeader, longLines } from '../../../evaluation/study/long-form.js';
import { csvLine, latexText, renderTable } from '../../../evaluation/study/render-table.js';
import { studyScores } from '../../../evaluation/study/study-scores.js';
import { studyTable } from '../../../evaluation/study/study-table.js';
import { seededRandom, shuffled } from '../../support/random.js';
import {
  answerOf,
  type Entry,
  numbered,
  questionOf,
  runOf,
  usageOf,
} from '../../support/runs/answers.js';

const taken = { result: { usage: usageOf({ calls: 4, costUsd: 0.02 }) } };

/** A run of n questions, q0 on, of which those are right that `isRight` says; some are not asked. */
function run(name: string, n: number, isRight: (i: number) => boolean, asked = n, options = {}) {
  const entries = numbered(n, (id, i) => {
    const scores = { em: Number(isRight(i)), f1: isRight(i) ? 1 : 0.5 };
    return i < asked ? answerOf(id, 'answered', scores, taken) : undefined;
  });
  return runOf(name, entries, { method: 'sure', input: { options } });
}

const cell = (method: string, dataset: string, ...runs: string[]) => ({
  ...{ method, dataset, model: 'mini', runs },
});

const opening = (sources: readonly RunSource[]) => async (name: string) =>
  sources.find(({ manifest }) => manifest.run === name);

const STUDY: StudyCells = {
  name: 'k_2 & 50%',
  baseline: 'base',
  cells: [
    cell('base', 'nq', 'b1', 'b2'),
    cell('sure_k3', 'nq', 's1', 's2'),
    cell('base', 'hotpot#1', 'h1', 'h2'),
    cell('sure_k3', 'hotpot#1', 'i1', 'i2'),
  ],
};

const RUNS = [
  run('b1', 100, (i) => i < 30),
  run('b2', 100, (i) => i < 34),
  run('s1', 100, (i) => i < 60, 100, { candidates: 3 }),
  run('s2', 100, (i) => i < 62, 100, { candidates: 3 }),
  run('h1', 40, (i) => i % 2 === 0),
  run('h2', 40, (i) => i % 2 === 0),
  run('i1', 40, (i) => i % 2 === 0, 40, { candidates: 3 }),
];

test('mean, spread between repeats, and intervals in which a question counts once', async () => {
  const { cells, mains } = await studyScores(STUDY, opening(RUNS));
  expect(mains.get('nq')?.metric).toBe('em');
  const em = cells[0]?.metrics.find(({ metric }) => metric === 'em');
  expect(em).toMatchObject({ questions: 100, isYesNo: false });
  expect(em?.mean.mean).toBeCloseTo(0.32, 12);
  expect(em?.repeats).toEqual([0.3, 0.34]);
  // The deviation of 0.30 and 0.34 with one degree of freedom.
  expect(em?.spread).toBeCloseTo(0.0282843, 6);
  const means = [...Array(100).keys()].map((i) => (i < 30 ? 1 : i < 34 ? 0.5 : 0));
  expect(em?.mean).toEqual(meanInterval(means));
  expect(cells[0]?.costUsd).toBeCloseTo(0.02, 12);
});

test('compares what was meant, by Holm over all of it, and combines the data sets', async () => {
  const { comparisons, combined } = await studyScores(STUDY, opening(RUNS));
  expect(comparisons.map(({ dataset, finding }) => [dataset, finding])).toEqual([
    ['nq', 'better'],
    ['hotpot#1', 'noDifference'],
  ]);
  const [nq] = comparisons;
  expect(nq?.corrected).toBeCloseTo(2 * (nq?.p ?? 0), 15);
  const [both] = combined;
  expect(both).toMatchObject({ datasets: ['nq', 'hotpot#1'], questions: 140 });
  expect(both?.difference.mean).toBeCloseTo(0.29 / 2, 12);
  expect(both?.difference.low).toBeGreaterThan(0);
});

test('with fewer than 20 questions nothing is concluded', async () => {
  const few = { ...STUDY, cells: [cell('base', 'x', 'a'), cell('sure', 'x', 'b')] };
  const runs = [run('a', 19, () => false), run('b', 19, () => true)];
  const scores = await studyScores(few, opening(runs));
  expect(scores.comparisons).toMatchObject([{ finding: 'tooFew', corrected: null }]);
  expect(renderTable(studyTable(scores), 'json')).not.toContain('"isBest": true');
});

test('the main metric is that of the most frequent kind, whichever questions end first', async () => {
  const study = { ...STUDY, cells: [cell('base', 'x', 'a')] };
  const mixed = (asked: number) => {
    const entries = [...Array(100).keys()].map((i): Entry => {
      const answerKind = i < 40 ? 'boolean' : 'span';
      const scores: Record<string, number> = i < 40 ? { accuracy: 1 } : { em: 1, f1: 1 };
      const answer = i < asked ? answerOf(`q${i}`, 'answered', scores, taken) : undefined;
      return [questionOf(`q${i}`, { answerKind }), answer];
    });
    return opening([runOf('a', entries, { method: 'base', input: {} })]);
  };
  expect((await studyScores(study, mixed(40))).mains.get('x')).toBeUndefined();
  for (const asked of [41, 100]) {
    expect((await studyScores(study, mixed(asked))).mains.get('x')?.metric).toBe('em');
  }
});

test('until decided, the sequential test speaks of the completed prefix alone', async () => {
  const cells = [cell('base', 'x', 'a'), cell('sure', 'x', 'b')];
  const until = { ...STUDY, cells, untilDecided: { delta: 0, alpha: 0.05 } };
  const runs = [run('a', 200, () => false, 60), run('b', 200, (i) => i % 4 === 0, 50)];
  const { comparisons } = await studyScores(until, opening(runs));
  const table = renderTable(studyTable(await studyScores(until, opening(runs))), 'json');
  expect(table).not.toContain('"isBest": true');
  expect(comparisons[0]?.decision).toMatchObject({
    ...{ verdict: 'better', asked: 50, decidedAt: 25, test: 'pairedOutcomes', questions: 200 },
  });
  // What has been asked with so little money left cannot be decided any more.
  const poor = await studyScores({ ...until, untilDecided: { delta: 0.25 } }, opening(runs), {
    leftUsd: 0.001,
  });
  expect(poor.comparisons[0]).toMatchObject({
    ...{ finding: 'noDifference', decision: { verdict: 'cannot', asked: 50 } },
  });
});

test('failed questions are wrong, or left out where that was said before', async () => {
  const cells = [cell('base', 'x', 'a'), cell('sure', 'x', 'b')];
  const failing = (name: string, from: number) => {
    const answer = (id: string, i: number) =>
      answerOf(id, i < from ? 'answered' : 'failed', { em: Number(i < from) }, taken);
    return runOf(name, numbered(40, answer), { method: 'sure' });
  };
  const runs = [failing('a', 30), failing('b', 40)];
  const decided = async (failures: 'wrong' | 'leftOut') => {
    const until = { ...STUDY, cells, untilDecided: { failures } };
    return (await studyScores(until, opening(runs))).comparisons[0]?.decision;
  };
  expect(await decided('wrong')).toMatchObject({ verdict: 'better', asked: 40, leftOut: 0 });
  expect(await decided('leftOut')).toMatchObject({ verdict: 'cannot', asked: 30, leftOut: 10 });
});

test('the table as text, Markdown, LaTeX, CSV and JSON', async () => {
  const table = studyTable(await studyScores(STUDY, opening(RUNS)));
  const lines = renderTable(table, 'text').split('\n');
  expect(lines.slice(0, 4)).toEqual([
    'method   options       nq, EM                hotpot#1, EM',
    'base     candidates 2  32.0 ± 2.8 (n=100)    *50.0 ± 0.0 (n=40)',
    'sure_k3  candidates 3  *61.0† ± 1.4 (n=100)  *50.0 [35.2, 64.8] (n=40)',
    'Mean with its standard deviation between repeats or 95 % interval.',
  ]);
  expect(renderTable(table, 'markdown')).toContain(
    '| sure\\_k3 | candidates 3 | **61.0**† ± 1.4 (n=100) | **50.0** [35.2, 64.8] (n=40) |',
  );
  // This text was compiled with pdfLaTeX of TeX Live 2022, without a package.
  expect(renderTable(table, 'latex')).toBe(`\\begin{table}
  \\centering
  \\begin{tabular}{llrr}
    \\hline
    method & options & nq, EM & hotpot\\#1, EM \\\\
    \\hline
    base & candidates 2 & 32.0 $\\pm$ 2.8 (n=100) & \\textbf{50.0} $\\pm$ 0.0 (n=40) \\\\
    sure\\_k3 & candidates 3 & \\textbf{61.0}$^{\\dagger}$ $\\pm$ 1.4 (n=100) & \\textbf{50.0} [35.2, 64.8] (n=40) \\\\
    \\hline
  \\end{tabular}
  \\caption{k\\_2 \\& 50\\%. Mean with its standard deviation between repeats or 95 \\% interval. Marked as best: the highest mean, and what is not shown to be lower than it. Marked with a dagger: differs from base (paired test, corrected by Holm over all comparisons).}
\\end{table}
`);
  const read = parse(renderTable(table, 'csv'), { columns: true }) as Record<string, string>[];
  expect(read).toHaveLength(4);
  expect(read[2]).toMatchObject({ method: 'sure_k3', dataset: 'nq', differs: 'better' });
  expect(Number(read[0]?.spread)).toBeCloseTo(0.0282843, 6);
  expect(JSON.parse(renderTable(table, 'json'))).toEqual(JSON.parse(JSON.stringify(table)));
});

test('what LaTeX takes for its own is escaped', () => {
  expect(latexText('a_b & 50% #1 $x {y} \\z ~ ^')).toBe(
    'a\\_b \\& 50\\% \\#1 \\$x \\{y\\} \\textbackslash{}z \\textasciitilde{} \\textasciicircum{}',
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      const bare = latexText(text)
        .replaceAll(/\\text[a-z]+\{\}/g, '')
        .replaceAll(/\\[%_&#${}]/g, '');
      expect(bare).not.toMatch(/[\\~^%_&#${}<>|]/);
    }),
  );
});

test('CSV is read back as it was', () => {
  const values = fc.array(fc.string(), { minLength: 2, maxLength: 5 });
  fc.assert(
    fc.property(values, (row) => {
      expect(parse(csvLine(row), { record_delimiter: '\n' })).toEqual([row]);
    }),
  );
});

test('effort a question, and any metric by name', async () => {
  const scores = await studyScores(STUDY, opening(RUNS));
  const first = (shown: Parameters<typeof studyTable>[1]) =>
    studyTable(scores, shown).rows[0]?.cells[0];
  expect(first('calls')).toMatchObject({ value: 4 });
  expect(first('cost')?.value).toBeCloseTo(0.02, 12);
  expect(first('time')).toMatchObject({ value: 4 });
  expect(first({ metric: 'f1' })?.value).toBeCloseTo(0.66, 12);
  expect(first({ metric: 'f1' })).not.toHaveProperty('differs');
  expect(first({ metric: 'recall@5' })).toBeUndefined();
});

test('the order in which answers are kept changes nothing', async () => {
  const before = await studyScores(STUDY, opening(RUNS));
  const shuffledRuns = RUNS.map((source) => ({
    ...source,
    async *questions() {
      const all = [];
      for await (const question of source.questions()) all.push(question);
      yield* shuffled(all, seededRandom(source.manifest.run));
    },
  }));
  const after = await studyScores(STUDY, opening(shuffledRuns));
  expect(after.comparisons).toEqual(before.comparisons);
  expect(renderTable(studyTable(after), 'json')).toBe(renderTable(studyTable(before), 'json'));
});

test('a line an answer, with what is no answer counted as 0', async () => {
  const failed = runOf('f', [[questionOf('q0'), answerOf('q0', 'failed', { em: 1 })]]);
  const study = { name: 's', cells: [cell('a,b', 'x', 'f', 'none')] };
  const lines = [];
  for await (const line of longLines(study, opening([failed]))) lines.push(line);
  const csv = longHeader(['em', 'f1']) + lines.map((line) => longCsv(line, ['em', 'f1'])).join('');
  expect(parse(csv, { columns: true })).toEqual([
    {
      ...{ method: 'a,b', model: 'mini', dataset: 'x', repeat: '1', run: 'f', question: 'q0' },
      ...{ outcome: 'failed', seconds: '4', calls: '0', costUsd: '0', em: '0', f1: '' },
    },
  ]);
});
