/** A study from its answers to its tables. */

import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../core/result.js';
import { seededRandom } from '../../../core/sampler.js';
import type { StudyCells } from '../../../core/study/cell.js';
import { evaluateRuns } from '../../../evaluation/runs/evaluate-runs.js';
import type { RunSource } from '../../../evaluation/runs/run-source.js';
import { twoSidedTail } from '../../../evaluation/statistics/distributions.js';
import { differenceInterval } from '../../../evaluation/statistics/paired-difference.js';
import { meanInterval } from '../../../evaluation/statistics/score-interval.js';
import { latexLine, latexText } from '../../../evaluation/study/latex.js';
import {
  type LongFormRow,
  longFormCsv,
  longFormFieldColumns,
  longFormHeader,
  longFormJson,
  longFormMetricColumns,
  longFormRows,
} from '../../../evaluation/study/long-form.js';
import { csvLine, renderTable } from '../../../evaluation/study/render-table.js';
import { studyCells } from '../../../evaluation/study/study-of.js';
import { type StudyScores, studyScores } from '../../../evaluation/study/study-scores.js';
import { studyTable } from '../../../evaluation/study/study-table.js';
import { shuffled } from '../../support/random.js';
import {
  answerOf,
  type Entry,
  numbered,
  questionOf,
  runOf,
  stepUsage,
  usageOf,
} from '../../support/runs/answers.js';

const taken = { result: { usage: usageOf({ calls: 4, costUsd: 0.02 }), workingSeconds: 0.5 } };

/** A run of n questions, q0 on, of which those are right that `isRight` says; some are not asked. */
function run(name: string, n: number, isRight: (i: number) => boolean, asked = n, options = {}) {
  const entries = numbered(n, (id, i) => {
    const scores = { em: Number(isRight(i)), f1: isRight(i) ? 1 : 0.5 };
    return i < asked ? answerOf(id, 'answered', scores, taken) : undefined;
  });
  return runOf(name, entries, { method: 'sure', input: { options } });
}

const cell = (method: string, dataset: string, ...runs: string[]) => ({
  method,
  dataset,
  model: 'mini',
  runs,
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
  const { cells, metrics } = await studyScores(STUDY, opening(RUNS));
  expect(metrics.get('nq')).toMatchObject([{ metric: 'em' }]);
  const em = cells[0]?.metrics.find(({ metric }) => metric === 'em');
  expect(em).toMatchObject({ questions: 100 });
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
  expect(comparisons.map(({ pair, decision }) => [pair.first.dataset, decision])).toEqual([
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

/** Runs of one place of a study that are two experiments, by why they are. */
const CHANGED: Record<string, (name: string, place: StudyPlace) => RunSource[]> = {
  'an accepted change of code': (name, place) => [halved(name, place, { isAccepted: true })],
  'prompts that the manifest does not have': (name, place) => [halved(name, place, {})],
  'repeats by two versions of a method': (name, place) =>
    ['1', '2'].map((version, i) => {
      const code = { version, files: {} };
      return ofStudy(`${name}-${version}`, { ...place, repeat: i + 1 }, (n) => n < 90 - 40 * i, {
        code,
      });
    }),
};

type StudyPlace = NonNullable<RunSource['manifest']['input']['study']>;

const place = (method: string, at: number): StudyPlace => ({
  name: 'parted',
  method,
  dataset: 'nq',
  model: 'mini',
  repeat: 1,
  place: at,
  baseline: 'base',
  comparisons: 2,
});

/** A run of 100 questions in a study. */
function ofStudy(
  name: string,
  study: StudyPlace,
  isRight: (i: number) => boolean,
  rest: object = {},
): RunSource {
  const entries = numbered(100, (id, i) =>
    answerOf(id, 'answered', { em: Number(isRight(i)) }, taken),
  );
  const run = runOf(name, entries, { method: methodOf(study), input: { study } });
  return { ...run, manifest: { ...run.manifest, ...rest } };
}

const methodOf = ({ method }: StudyPlace) => (method === 'base' ? 'base' : 'sure');

/** A run of a study whose second half was asked with something else. */
function halved(name: string, study: StudyPlace, { isAccepted = false }): RunSource {
  const entries = numbered(100, (id, i): Entry[1] => {
    const hour = i < 50 || !isAccepted ? '08' : '10';
    const steps = { read: stepUsage({ prompts: [i < 50 || isAccepted ? 'known' : 'foreign'] }) };
    const times = {
      startedAt: `2026-11-20T${hour}:00:00.000Z`,
      endedAt: `2026-11-20T${hour}:00:04.000Z`,
    };
    const result = { ...taken.result, steps };
    return answerOf(id, 'answered', { em: Number(i < 90) }, { result, ...times });
  });
  const at = '2026-11-20T09:00:00.000Z';
  const prompts = { 'read.txt': 'known' };
  const changes = [{ at, answered: 50, differences: ['code.version'], prompts }];
  const rest = { prompts, ...(isAccepted && { changes }) };
  const run = runOf(name, entries, { method: methodOf(study), input: { study } });
  return { ...run, manifest: { ...run.manifest, ...rest } };
}

describe.each(Object.entries(CHANGED))('%s', (_, changed) => {
  const storeOf = (sources: readonly RunSource[]) => {
    const manifests = sources.map(({ manifest }) => manifest);
    const study = studyCells(manifests, 'parted');
    if (!study) throw new Error('There is no study.');
    return { study, open: opening(sources) };
  };
  const figuresOf = (comparisons: readonly { p: number | null; difference: { mean: number } }[]) =>
    comparisons.map(({ p, difference: { mean } }) => ({ p, mean }));

  test('makes rows of a study of it, and the same comparisons in table and compare', async () => {
    const base = ofStudy('b1', place('base', 0), (i) => i < 30);
    const sources = [base, ...changed('s1', place('sure', 1))];
    const { study, open } = storeOf(sources);
    const scores = await studyScores(study, open);
    const table = studyTable(scores);
    expect(table.rows.map(({ method }) => method)).toEqual([
      'base',
      'sure, part 1 of 2',
      'sure, part 2 of 2',
    ]);
    const [, one, two] = table.rows.map(({ cells }) => cells[0]);
    expect(one?.value).not.toBe(two?.value);
    expect([one, two].map((cell) => cell?.comparison?.against)).toEqual(['base', 'base']);
    expect(table.notes.join('\n')).toContain('sure, nq, mini is not one experiment');
    expect(renderTable(table, 'text')).not.toMatch(/of \d+ answers/);
    // Two are at hand in the place of one, and the study declares another one.
    expect(scores.comparisons.map(({ family }) => family)).toEqual([3, 3]);

    const compared = await evaluateRuns(sources);
    expect(figuresOf(compared.comparisons)).toEqual(figuresOf(scores.comparisons));
    expect(compared.comparisons.map(({ family }) => family)).toEqual([3, 3]);
    expect(compared.notes.join('\n')).toContain('sure, nq, mini is not one experiment');

    const lines: LongFormRow[] = [];
    for await (const line of longFormRows(scores)) lines.push(line);
    expect(new Set(lines.map(({ method }) => method))).toEqual(
      new Set(table.rows.map(({ method }) => method)),
    );
    expect(lines).toHaveLength(sources.length * 100);
  });

  test('as the baseline is compared with nothing until a part of it is named, as the note says', async () => {
    const sure = ofStudy('s1', place('sure', 1), (i) => i < 30);
    const sources = [...changed('b1', place('base', 0)), sure];
    const { study, open } = storeOf(sources);
    const { comparisons, notes } = await studyScores(study, open);
    expect(comparisons).toEqual([]);
    const [, baseline] = notes.join('\n').match(/compare parted --baseline '(.*?)'/) ?? [];
    expect(baseline).toBe('base, part 1 of 2');
    expect((await evaluateRuns(sources)).comparisons).toEqual([]);

    const found = await evaluateRuns(sources, { baseline });
    expect(found.comparisons.map(({ pair: { second } }) => second.names[0])).toEqual(
      found.comparisons.map(() => found.runs[0]?.manifest.run),
    );
    expect(found.comparisons.map(({ pair: { first } }) => first.kept)).toContain('s1');
  });

  test('is compared with nothing in a study that stops when it is decided, which says so', async () => {
    const base = ofStudy('b1', place('base', 0), (i) => i < 30);
    const sources = [base, ...changed('s1', place('sure', 1))];
    const { study, open } = storeOf(sources);
    const { comparisons, notes } = await studyScores({ ...study, untilDecided: {} }, open);
    expect(comparisons).toEqual([]);
    expect(notes.at(-1)).toContain('Parts are not compared');
  });
});

test('the mean over data sets has the distribution of the differences that it is of', async () => {
  // One difference twice: the error of the mean is that of one over the root of two.
  const of = (name: string, step: number) => {
    const entries = numbered(80, (id, i) =>
      answerOf(id, 'answered', { em: Number(i % 8 < step) }, taken),
    ).map(([question, answer], i): Entry => {
      return [{ ...question, fields: { doc: `d${i >> 1}` } }, answer];
    });
    return runOf(name, entries, { method: 'sure' });
  };
  const study: StudyCells = {
    name: 's',
    baseline: 'base',
    cells: [
      cell('base', 'x', 'a'),
      cell('sure', 'x', 'b'),
      cell('base', 'y', 'c'),
      cell('sure', 'y', 'd'),
    ],
  };
  const runs = [of('a', 2), of('b', 4), of('c', 2), of('d', 4)];
  for (const cluster of [undefined, 'doc']) {
    const { comparisons, combined } = await studyScores({ ...study, cluster }, opening(runs));
    const [{ difference, count = 0, draws = 0 } = {}] = comparisons;
    const mean = difference?.mean ?? 0;
    const twice = 2 * count;
    const freedom = cluster === undefined ? undefined : 2 * (draws - 1);
    expect(combined[0]?.p).toBeCloseTo(twoSidedTail(Math.sqrt(twice) * mean, freedom), 12);
    expect(combined[0]?.difference).toEqual(
      differenceInterval({ mean, count: twice, ...(freedom && { freedom }) }, 0.05),
    );
  }
});

test('with fewer than 20 questions nothing is concluded', async () => {
  const few = { ...STUDY, cells: [cell('base', 'x', 'a'), cell('sure', 'x', 'b')] };
  const runs = [run('a', 19, () => false), run('b', 19, () => true)];
  const scores = await studyScores(few, opening(runs));
  expect(scores.comparisons).toMatchObject([{ decision: 'tooFew', corrected: null }]);
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
  expect((await studyScores(study, mixed(40))).metrics.get('x')).toEqual([]);
  for (const asked of [41, 100]) {
    expect((await studyScores(study, mixed(asked))).metrics.get('x')).toMatchObject([
      { metric: 'em' },
    ]);
  }
});

test('until decided, the sequential test speaks of the completed prefix alone', async () => {
  const cells = [cell('base', 'x', 'a'), cell('sure', 'x', 'b')];
  const until = { ...STUDY, cells, untilDecided: { delta: 0, alpha: 0.05 } };
  const runs = [run('a', 200, () => false, 60), run('b', 200, (i) => i % 4 === 0, 50)];
  const { comparisons } = await studyScores(until, opening(runs));
  const table = renderTable(studyTable(await studyScores(until, opening(runs))), 'json');
  expect(table).not.toContain('"isBest": true');
  expect(comparisons[0]).toMatchObject({ decision: 'better', p: expect.any(Number) });
  expect(comparisons[0]?.sequential).toMatchObject({
    verdict: 'better',
    asked: 50,
    decidedAt: 25,
    test: 'pairedOutcomes',
    questions: 200,
  });
  // What has been asked with so little money left cannot be decided any more.
  const poor = await studyScores({ ...until, untilDecided: { delta: 0.25 } }, opening(runs), {
    leftUsd: 0.001,
  });
  expect(poor.comparisons[0]).toMatchObject({
    decision: 'cannot',
    sequential: { verdict: 'cannot', asked: 50 },
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
    return (await studyScores(until, opening(runs))).comparisons[0]?.sequential;
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
    'sure_k3  candidates 3  *61.0† ± 1.4 (n=100)  *50.0 [35.2, 64.8] (40 of 80 answers)',
    'EM: mean with its standard deviation between repeats or 95 % interval.',
  ]);
  expect(renderTable(table, 'markdown')).toContain(
    '| sure\\_k3 | candidates 3 | **61.0**† ± 1.4 (n=100) | **50.0** [35.2, 64.8] (40 of 80 answers) |',
  );
  expect(renderTable(table, 'latex')).toBe(`% \\usepackage{booktabs}
\\begin{table}
  \\centering
  \\begin{tabular}{llrrrrrrrr}
    \\toprule
     &  & \\multicolumn{4}{c}{nq, EM} & \\multicolumn{4}{c}{hotpot\\#1, EM} \\\\
    \\cmidrule(lr){3-6} \\cmidrule(lr){7-10}
    method & options & mean & difference & $p$ & corrected $p$ & mean & difference & $p$ & corrected $p$ \\\\
    \\midrule
    base & candidates 2 & 32.0 $\\pm$ 2.8 (n=100) &  &  &  & \\textbf{50.0} $\\pm$ 0.0 (n=40) &  &  &  \\\\
    sure\\_k3 & candidates 3 & \\textbf{61.0}$^{\\dagger}$ $\\pm$ 1.4 (n=100) & $+$29.0 [$+$19.9, $+$37.6; 95 \\%] & $<$ 0.001 & $<$ 0.001 & \\textbf{50.0} [35.2, 64.8] (40 of 80 answers) & 0.0 [$-$6.7, $+$6.7; 95 \\%] & 1.00 & 1.00 \\\\
    \\bottomrule
  \\end{tabular}
  \\caption{k\\_2 \\& 50\\%. EM: mean with its standard deviation between repeats or 95 \\% interval. Marked as best: the highest mean of its column. Marked with a dagger: shown to differ from base. Test: paired score test (McNemar) with the variance of Bonett and Price; p is corrected by Holm over 2 comparisons. A cell with a number of answers in brackets has not ended; its mean and interval are of these answers.}
  \\label{tab:k-2-50}
\\end{table}
`);
  const read = parse(renderTable(table, 'csv'), { columns: true }) as Record<string, string>[];
  expect(read).toHaveLength(4);
  expect(read[2]).toMatchObject({
    method: 'sure_k3',
    dataset: 'nq',
    against: 'base',
    decision: 'better',
  });
  expect(Number(read[2]?.difference)).toBeCloseTo(0.29, 12);
  expect(Number(read[0]?.spread)).toBeCloseTo(0.0282843, 6);
  expect(JSON.parse(renderTable(table, 'json'))).toEqual(JSON.parse(JSON.stringify(table)));
});

test.each([
  [
    'a_b & 50% #1 $x {y} \\z ~ ^ `',
    'a\\_b \\& 50\\% \\#1 \\$x \\{y\\} \\textbackslash{}z \\textasciitilde{} \\textasciicircum{} \\textasciigrave{}',
  ],
  ['called "base" ("k = 1", it\'s \'new\')', "called ``base'' (``k = 1'', it's `new')"],
  ['{"k":"a","n":["b","5%"]} k="c"', "\\{``k'':``a'',``n'':[``b'',``5\\%'']\\} k=``c''"],
  ['"Ends here." So "does it?"', "``Ends here.'' So ``does it?''"],
  ['by --sample and ---', 'by -{}-sample and -{}-{}-'],
  ['a\n\nparagraph\t', 'a paragraph '],
  ['p ≥ 0.5 → −1', 'p $\\ge$ 0.5 $\\to$ $-$1'],
])('LaTeX of %j is escaped', (text, latex) => {
  expect(latexText(text)).toBe(latex);
});

test('what LaTeX takes for its own is in no escaped text', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const bare = latexText(text)
        .replaceAll(/\\text[a-z]+\{\}/g, '')
        .replaceAll(/-\{\}/g, '')
        .replaceAll(/\\[%_&#${}]/g, '');
      expect(bare).not.toMatch(/[\\~^%_&#${}<>|"\n]|--/);
    }),
  );
});

test('a row of a LaTeX table begins with no argument of the rule or row above it', () => {
  const lines = ['[a]', '* a', ' [a]', 'a [b]'].map((cell) => latexLine([cell, '1']).trim());
  expect(lines).toEqual(['{}[a] & 1 \\\\', '{}* a & 1 \\\\', '{} [a] & 1 \\\\', 'a [b] & 1 \\\\']);
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
  const times = studyTable(scores, 'time');
  expect(times.columns.map(({ dataset, title }) => `${dataset}, ${title}`)).toEqual([
    'nq, working time, median s',
    'nq, wall time, median s',
    'hotpot#1, working time, median s',
    'hotpot#1, wall time, median s',
  ]);
  const shown = times.rows.map(({ cells }) => cells.map((one) => one?.value));
  expect(shown).toEqual([
    [0.5, 4, 0.5, 4],
    [0.5, 4, 0.5, 4],
  ]);
  const csv = parse(renderTable(times, 'csv'), { columns: true }) as Record<string, string>[];
  expect(csv.map(({ dataset, value }) => [dataset, value]).slice(0, 2)).toEqual([
    ['nq', '0.5'],
    ['nq', '4'],
  ]);
  expect(first({ metric: 'f1' })?.value).toBeCloseTo(0.66, 12);
  expect(first({ metric: 'F1' })).not.toHaveProperty('comparison');
  const ofF1 = studyTable(scores, { metric: 'F1' });
  expect(ofF1.columns.map(({ title }) => title)).toEqual(['F1', 'F1']);
  expect(ofF1.notes.join(' ')).toContain(
    'Differences from base in F1 are not tested, so none is marked.',
  );
  expect(renderTable(ofF1, 'latex')).toContain('caption{k\\_2 \\& 50\\%. F1: mean');
  expect(() => first({ metric: 'nonsense' })).toThrow('of: no question has a score in "nonsense"');
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
  const found = ({ comparisons }: StudyScores) => comparisons.map(({ pair: _, ...rest }) => rest);
  expect(found(after)).toEqual(found(before));
  expect(renderTable(studyTable(after), 'json')).toBe(renderTable(studyTable(before), 'json'));
});

/** The answers of a study as its file of lines has them, read back. */
async function longOf(study: StudyCells, sources: readonly RunSource[]) {
  const scores = await studyScores(study, opening(sources));
  const metrics = longFormMetricColumns(scores);
  const fields = longFormFieldColumns(scores);
  let csv = longFormHeader(metrics, fields);
  const objects: object[] = [];
  for await (const line of longFormRows(scores)) {
    csv += longFormCsv(line, metrics, fields);
    objects.push(longFormJson(line, metrics, fields));
  }
  const lines = parse(csv, { columns: true }) as Record<string, string>[];
  // JSON says the same, under the same names and in the same order.
  const textOf = (value: unknown) =>
    Array.isArray(value) ? JSON.stringify(value) : String(value ?? '');
  const texts = objects.map((one) =>
    Object.fromEntries(Object.entries(one).map(([name, value]) => [name, textOf(value)])),
  );
  expect(texts).toEqual(lines);
  return lines;
}

test('a line an answer, with what is no answer counted as 0 and why it failed', async () => {
  const failure = { type: 'Timeout', message: 'No answer, "at all".', step: 'readPassages' };
  const entries: Entry[] = [
    [
      questionOf('q0', { answers: [] }),
      answerOf('q0', 'failed', { em: 1 }, { result: { failure } }),
    ],
    [questionOf('q1'), undefined],
  ];
  const study = { name: 's', cells: [cell('a,b', 'x', 'f', 'none')] };
  const lines = await longOf(study, [runOf('f', entries)]);
  expect(lines).toEqual([
    {
      method: 'a,b',
      model: 'mini',
      dataset: 'x',
      repeat: '1',
      run: 'f',
      id: 'q0',
      question: 'What is q0?',
      answers: '[]',
      outcome: 'failed',
      prediction: '',
      workingSeconds: '',
      seconds: '4',
      calls: '0',
      cachedCalls: '0',
      promptTokens: '0',
      completionTokens: '0',
      costUsd: '0',
      failure: 'Timeout',
      failureStep: 'readPassages',
      failureMessage: 'No answer, "at all".',
      em: '0',
    },
  ]);
});

test('a line has every score of the passages, the prediction, gold answers and tokens', async () => {
  const usage = usageOf({ calls: 3, cachedCalls: 1, promptTokens: 210, completionTokens: 17 });
  const searched = (run: string, depth: number) => {
    const entries = numbered(3, (id, i) => {
      const hits = Array.from({ length: depth }, (_, at) => at === i);
      return answerOf(
        id,
        i === 1 ? 'unreadable' : 'answered',
        { em: Number(i === 0) },
        {
          retrieval: { hits, recall: {}, coverage: { found: 1, answers: 2 } },
          result: { usage, retrievals: 1, ...(i !== 1 && { answer: `= ${id},\n"so"` }) },
        },
      );
    });
    return runOf(run, entries);
  };
  const runs = [searched('deep', 5), searched('flat', 1), run('closed', 3, () => true)];
  const cells = [cell('a', 'x', 'deep'), cell('b', 'x', 'flat'), cell('c', 'x', 'closed')];
  const lines = await longOf({ name: 's', cells }, runs);
  expect(lines).toHaveLength(9);
  const [first, second, third] = lines;
  expect(lines[6]).toMatchObject({ workingSeconds: '0.5', seconds: '4' });
  expect(first).toMatchObject({ prediction: '= q0,\n"so"', answers: '["q0"]', em: '1' });
  expect(first).toMatchObject({ calls: '3', cachedCalls: '1', promptTokens: '210' });
  expect(first).toMatchObject({ completionTokens: '17', 'recall@1': '1', 'recall@5': '1' });
  expect(second).toMatchObject({ em: '0', prediction: '', 'recall@1': '0', 'recall@5': '1' });
  expect(third).toMatchObject({ 'recall@1': '0', 'recall@5': '1', coverage: '0.5' });
  // A run that found one passage has no recall of five, and one that searched for none has none.
  expect(lines[3]).toMatchObject({ 'recall@1': '1', 'recall@5': '' });
  expect(lines[6]).toMatchObject({ 'recall@1': '', f1: '1' });
  // No column is empty in every line, and no score that a table counts is missing.
  const empty = Object.keys(first ?? {}).filter((name) => lines.every((line) => line[name] === ''));
  expect(empty).toEqual(['failure', 'failureStep', 'failureMessage']);
});

test('a line has the fields that were kept of its question, each a column', async () => {
  const fields = [{ hop: '2', type: 'bridge, "so"' }, { type: 'compare' }, undefined];
  const entries = fields.map((kept, i): Entry => {
    const id = `q${i}`;
    return [questionOf(id, kept && { fields: kept }), answerOf(id, 'answered', { em: 1 }, taken)];
  });
  const study = { name: 's', cells: [cell('a', 'x', 'kept'), cell('b', 'x', 'plain')] };
  const lines = await longOf(study, [runOf('kept', entries), run('plain', 1, () => true)]);
  expect(Object.keys(lines[0] ?? {}).slice(-2)).toEqual(['field.hop', 'field.type']);
  expect(lines.map((line) => [line['field.hop'], line['field.type']])).toEqual([
    ['2', 'bridge, "so"'],
    ['', 'compare'],
    ['', ''],
    ['', ''],
  ]);
});

/** A run of n questions that ended so, in their order; the rest have not ended. */
function ended(name: string, n: number, outcomes: readonly Outcome[]) {
  const entries = numbered(n, (id, i) => {
    const outcome = outcomes[i];
    return outcome && answerOf(id, outcome, { em: Number(outcome === 'answered') }, taken);
  });
  return runOf(name, entries, { method: 'sure' });
}

const times = (n: number, outcome: Outcome) => Array<Outcome>(n).fill(outcome);

test('says under the table which cells failed, and never marks one without an answer', async () => {
  const runs = [
    ended('a', 30, times(30, 'failed')),
    ended('b', 30, [...times(28, 'unreadable'), ...times(2, 'failed')]),
    ended('c', 30, [...times(1, 'answered'), ...times(3, 'unknown'), ...times(26, 'failed')]),
    ended('d', 30, times(30, 'unknown')),
  ];
  const cells = ['a', 'b', 'c', 'd'].map((name) => cell(name, 'x', name));
  const study = { name: 's', baseline: 'a', cells };
  const scores = await studyScores(study, opening(runs));
  const table = studyTable(scores);
  // With so few questions a mean of 0 is not shown to be lower than one of 3 %.
  expect(table.rows.map(({ cells: [one] }) => one?.isBest)).toEqual([false, false, false, false]);
  const notes = [
    'Failed answers count as 0: 30 of 30 in a; 2 of 30 in b; 26 of 30 in c.',
    'Unreadable answers count as 0: 28 of 30 in b.',
  ];
  for (const note of notes) {
    for (const format of ['text', 'markdown', 'latex'] as const) {
      expect(renderTable(table, format)).toContain(note);
    }
  }
  const csv = parse(renderTable(table, 'csv'), { columns: true }) as Record<string, string>[];
  const { rows } = JSON.parse(renderTable(table, 'json'));
  const counts = (of: Record<string, unknown>) =>
    [of.answers, of.planned, of.failed, of.unreadable, of.unknown].map(Number);
  const wanted = [
    [30, 30, 30, 0, 0],
    [30, 30, 2, 28, 0],
    [30, 30, 26, 0, 3],
    [30, 30, 0, 0, 30],
  ];
  expect(csv.map(counts)).toEqual(wanted);
  expect(rows.map(({ cells: [one] }: (typeof table.rows)[number]) => counts({ ...one }))).toEqual(
    wanted,
  );
  // What a search found of them is no score of an answer.
  expect(studyTable(scores, 'cost').notes).toEqual([
    '$ a question.',
    'Failed answers: 30 of 30 in a; 2 of 30 in b; 26 of 30 in c.',
  ]);
});

test('a right "unknown" is an answer, and cells are named by what tells them apart', async () => {
  const right = (name: string, outcome: Outcome) =>
    runOf(
      name,
      numbered(25, (id, i) => answerOf(id, i < 24 ? outcome : 'failed', { em: 1 }, taken)),
    );
  const study = {
    name: 's',
    cells: [cell('a', 'x', 'a'), { ...cell('b', 'y', 'b'), model: 'large' }, cell('b', 'x', 'c')],
  };
  const runs = [right('a', 'unknown'), right('b', 'answered'), right('c', 'answered')];
  const table = studyTable(await studyScores(study, opening(runs)));
  expect(table.rows[0]?.cells[0]).toMatchObject({ value: 0.96, isBest: true, unknown: 24 });
  expect(table.notes.at(-1)).toBe(
    'Failed answers count as 0: 1 of 25 in a on x with mini; 1 of 25 in b on y with large; 1 of 25 in b on x with mini.',
  );
});

test('an interval of a cell that has not ended says of how many answers it is', async () => {
  const cells = [cell('a', 'x', 'a1', 'a2'), cell('b', 'x', 'b1')];
  const runs = [
    run('a1', 50, () => true),
    run('a2', 50, () => false, 10),
    run('b1', 50, () => true),
  ];
  const text = async (sources: readonly RunSource[]) =>
    renderTable(studyTable(await studyScores({ name: 's', cells }, opening(sources))), 'text');
  expect(await text(runs)).toMatch(/^a .* \(60 of 100 answers\)$/m);
  expect(await text(runs)).toMatch(/^b .*\]( \(n=50\))?$/m);
  expect(await text(runs)).toContain('has not ended');
  // The second repeat has not begun.
  expect(await text([runs[0], runs[2]] as RunSource[])).toMatch(/^a .*\(50 of 100 answers\)$/m);
  expect(
    await text([run('a1', 50, () => true), run('a2', 50, () => true), ...runs.slice(2)]),
  ).not.toMatch(/answers\)|has not ended/);
});
