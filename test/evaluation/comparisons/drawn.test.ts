/** Every form in which comparisons are shown says what this file computes by itself from the same scores. */
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { statusOfProgress } from '../../../cli/run/run-status.js';
import { gateResults } from '../../../cli/run/score-gates.js';
import type { RunProgress } from '../../../core/run/run.js';
import { settingsOf } from '../../../core/run/run-settings.js';
import { NO_SUMS } from '../../../core/run/sums.js';
import { seededRandom } from '../../../core/sampler.js';
import { NO_USAGE } from '../../../core/usage.js';
import { comparisonJson } from '../../../evaluation/runs/comparison-json.js';
import { comparisonText } from '../../../evaluation/runs/comparison-text.js';
import { evaluateRuns } from '../../../evaluation/runs/evaluate-runs.js';
import { openRuns } from '../../../evaluation/runs/run-source.js';
import { junitXml } from '../../../evaluation/study/gate-summaries.js';
import { renderTable } from '../../../evaluation/study/render-table.js';
import { studyCells } from '../../../evaluation/study/study-of.js';
import { runsOf, studyScores } from '../../../evaluation/study/study-scores.js';
import { studyTable } from '../../../evaluation/study/study-table.js';
import { answerOf, type Entry, keepRun, numbered, runOf } from '../../support/runs/answers.js';
import { reportOf } from '../../support/runs/report-of.js';
import { memoryRuns } from '../../support/stores.js';

// What the test computes, in other ways than the program: by integrals and by bisection.

/**
 * The chance of a value further out than z, on both sides, by Simpson's rule: a normal one, or of
 * clusters one of Student's distribution, whose density is scaled to the area of 1.
 */
function outside(z: number, freedom?: number): number {
  const shape = (x: number) =>
    freedom === undefined
      ? Math.exp(-(x ** 2) / 2)
      : (1 + x ** 2 / freedom) ** (-(freedom + 1) / 2);
  const key = freedom ?? 0;
  const area = AREAS.get(key) ?? 2 * under(shape, 0, FAR);
  AREAS.set(key, area);
  return z >= FAR ? 0 : Math.min(1, (2 * under(shape, z, FAR)) / area);
}

/** Nothing that counts is further out, of as many clusters as are drawn here. */
const FAR = 20;
const AREAS = new Map<number, number>();

function under(density: (x: number) => number, z: number, to: number): number {
  const steps = 2000;
  const width = (to - z) / steps;
  let sum = density(z) + density(to);
  for (let i = 1; i < steps; i++) sum += (i % 2 === 1 ? 4 : 2) * density(z + i * width);
  return (sum * width) / 3;
}

/** A question, or a cluster of them: the sum of its differences, and how many questions it has. */
interface Draw {
  sum: number;
  size: number;
}

function meanOf(draws: readonly Draw[]): number {
  return draws.reduce((so, { sum }) => so + sum, 0) / draws.reduce((so, { size }) => so + size, 0);
}

/** The z at which a mean difference of `tested` is held against these differences. */
function statistic(draws: readonly Draw[], tested: number): number {
  const n = draws.length;
  const mean = meanOf(draws);
  const usual = draws.reduce((so, { size }) => so + size, 0) / n;
  const all = [...draws, { sum: usual, size: usual }, { sum: -usual, size: usual }];
  const middle = meanOf(all);
  const off = all.reduce((so, { sum, size }) => so + (sum - middle * size) ** 2, 0);
  const variance = off / (n + 2) / usual ** 2;
  const relative = variance / (1 - middle ** 2);
  return (mean - tested) / Math.sqrt((relative * (1 - tested ** 2)) / n);
}

/** The differences that are held against z by less than this, by bisection from the mean. */
function range(differences: readonly Draw[], z: number): [low: number, high: number] {
  const mean = meanOf(differences);
  const end = (side: 1 | -1) => {
    let [inside, beyond]: [number, number] = [mean, side];
    for (let step = 0; step < 80; step++) {
      const middle = (inside + beyond) / 2;
      if (Math.abs(statistic(differences, middle)) < z) inside = middle;
      else beyond = middle;
    }
    return inside;
  };
  return [end(-1), end(1)];
}

function zOf(level: number, freedom?: number): number {
  const key = `${level} ${freedom}`;
  let [low, high] = [0, 12];
  for (let step = 0; step < 50 && !ZS.has(key); step++) {
    const middle = (low + high) / 2;
    if (outside(middle, freedom) > level) low = middle;
    else high = middle;
  }
  const z = ZS.get(key) ?? high;
  ZS.set(key, z);
  return z;
}

const ZS = new Map<string, number>();

/** Degrees of freedom, if draws are clusters. */
function freedomOf(draws: readonly Draw[]): number | undefined {
  return draws.some(({ size }) => size > 1) ? draws.length - 1 : undefined;
}

interface Expected {
  /** Of the questions that are compared; empty if all are. */
  slice: string;
  method: string;
  dataset: string;
  metric: string;
  mean: number;
  low: number;
  high: number;
  level: number;
  p: number;
  corrected: number;
  decision: 'better' | 'worse' | 'noDifference';
}

function expectedOf(
  drawn: readonly (Pick<Expected, 'slice' | 'method' | 'dataset' | 'metric'> & {
    differences: Draw[];
  })[],
): Expected[] {
  const tests = drawn.map((one) => ({
    ...one,
    p: outside(Math.abs(statistic(one.differences, 0)), freedomOf(one.differences)),
  }));
  const ranked = tests.toSorted((a, b) => a.p - b.p);
  return tests.map(({ differences, p, ...named }): Expected => {
    const rank = ranked.findIndex((one) => one.p === p);
    const held = ranked.slice(0, rank + 1).map((one, i) => one.p * (tests.length - i));
    const corrected = Math.min(1, Math.max(...held));
    // The level of the first that is not shown is that of all.
    const first = ranked.findIndex(
      (_, i) => Math.max(...ranked.slice(0, i + 1).map((o, j) => o.p * (tests.length - j))) >= 0.05,
    );
    const place = first === -1 ? tests.length - 1 : first;
    const level = 0.05 / (tests.length - place);
    const mean = meanOf(differences);
    const [low, high] = range(differences, zOf(level, freedomOf(differences)));
    const decision = corrected >= 0.05 ? 'noDifference' : mean > 0 ? 'better' : 'worse';
    return { ...named, mean, low, high, level, p, corrected, decision };
  });
}

// What is drawn: a study in memory.

const METHODS = ['base', 'sure', 'genread'] as const;
const METRICS = ['em', 'f1'] as const;

/** How the questions of a study are grouped. */
interface Way {
  by?: 'type';
  cluster?: 'doc';
}

/** The document of a question: of one, two or three questions each; and its type. */
function fieldsOf(i: number): { doc: string; type: string } {
  const doc = 3 * Math.floor(i / 6) + ([0, 1, 1, 2, 2, 2][i % 6] ?? 0);
  return { doc: `d${doc}`, type: doc % 2 === 0 ? 'bridge' : 'compare' };
}

/** The draws of a slice: a cluster, or a question, each. */
function drawsOf(differences: readonly number[], slice: string, { cluster }: Way): Draw[] {
  const draws = new Map<string, Draw>();
  for (const [i, difference] of differences.entries()) {
    const { doc, type } = fieldsOf(i);
    if (slice !== '' && slice !== type) continue;
    const key = cluster ? doc : String(i);
    const { sum, size } = draws.get(key) ?? { sum: 0, size: 0 };
    draws.set(key, { sum: sum + difference, size: size + 1 });
  }
  return [...draws.values()];
}

async function drawnStudy(seed: number, way: Way) {
  const random = seededRandom(`drawn/${seed}`);
  const store = memoryRuns();
  const repeats = 1 + (seed % 2);
  const datasets = ['nq', 'tqa'].slice(0, 1 + (seed % 3 === 0 ? 1 : 0));
  const drawn: Parameters<typeof expectedOf>[0][number][] = [];
  let place = 0;
  for (const [d, dataset] of datasets.entries()) {
    const isGrouped = way.by !== undefined || way.cluster !== undefined;
    const questions = (isGrouped ? 120 : 25) + Math.floor(60 * random());
    const ease = Array.from({ length: questions }, random);
    const means = new Map<string, Map<string, number[]>>();
    for (const method of METHODS) {
      const help = method === 'base' ? 0 : 0.35 * random();
      const scores = Array.from({ length: repeats }, () =>
        ease.map((chance) => {
          const em = Number(random() < chance * (1 - help) + help);
          return { em, f1: em === 1 ? 1 : Math.round(100 * random() * random()) / 100 };
        }),
      );
      for (const metric of METRICS) {
        const of = means.get(metric) ?? new Map();
        const meanOf = (i: number) =>
          scores.reduce((so, repeat) => so + (repeat[i]?.[metric] ?? 0), 0) / repeats;
        of.set(
          method,
          ease.map((_, i) => meanOf(i)),
        );
        means.set(metric, of);
      }
      for (const [repeat, all] of scores.entries()) {
        const name = `s${seed}.${method}.${dataset}.r${repeat + 1}`;
        const study = {
          name: `s${seed}`,
          method,
          dataset,
          model: 'mini',
          place,
          repeat: repeat + 1,
          baseline: 'base',
          metrics: [...METRICS],
          comparisons: (METHODS.length - 1) * datasets.length * METRICS.length,
        };
        const answer = (id: string, i: number) => answerOf(id, 'answered', { ...all[i] });
        const entries = numbered(questions, answer).map(([question, given], i): Entry => {
          return [{ ...question, fields: fieldsOf(i) }, given];
        });
        const input = { seed: repeat, study };
        const run = runOf(name, entries, { method, input });
        const data = { ...run.manifest.dataset, sha256: `${d}`.repeat(64) };
        await keepRun(store, { ...run, manifest: { ...run.manifest, dataset: data } });
      }
      place++;
    }
    for (const method of ['sure', 'genread']) {
      for (const metric of METRICS) {
        const [first = [], second = []] = [method, 'base'].map((one) =>
          means.get(metric)?.get(one),
        );
        const differences = first.map((score, i) => score - (second[i] ?? 0));
        for (const slice of way.by ? ['bridge', 'compare'] : ['']) {
          const draws = drawsOf(differences, slice, way);
          drawn.push({ slice, method, dataset, metric, differences: draws });
        }
      }
    }
  }
  return { store, name: `s${seed}`, expected: expectedOf(drawn) };
}

/** As it is shown: in points with one digit, and the p with two or three. */
const shownP = (text: string) => (text.startsWith('<') ? 0.0005 : Number(text));
const pOf = (p: number) => (p < 0.001 ? 0.0005 : p);
const number = (text: string) => Number(text.replace('−', '-').replace('+', ''));

function expectShown(
  shown: { mean: string; low: string; high: string; level: string; p: string; corrected: string },
  expected: Expected,
): void {
  expect(Math.abs(number(shown.mean) - 100 * expected.mean)).toBeLessThan(0.051);
  expect(Math.abs(number(shown.low) - 100 * expected.low)).toBeLessThan(0.051);
  expect(Math.abs(number(shown.high) - 100 * expected.high)).toBeLessThan(0.051);
  expect(Number(shown.level)).toBeCloseTo(100 * (1 - expected.level), 1);
  expect(Math.abs(shownP(shown.p) - pOf(expected.p))).toBeLessThan(0.0051);
  expect(Math.abs(shownP(shown.corrected) - pOf(expected.corrected))).toBeLessThan(0.0051);
}

const TITLES: Record<string, string> = { em: 'EM', f1: 'F1' };

const WAYS: [seed: number, way: Way][] = [
  ...[1, 2, 3, 6].map((seed): [number, Way] => [seed, {}]),
  [7, { by: 'type' }],
  [8, { cluster: 'doc' }],
  [9, { by: 'type', cluster: 'doc' }],
  [12, { by: 'type', cluster: 'doc' }],
];

test.each(WAYS)('study %i, %j: one list, wherever it is shown', async (seed, way) => {
  const { store, name, expected } = await drawnStudy(seed, way);
  const sources = await openRuns(store, [name]);
  const evaluation = await evaluateRuns(sources, way);
  const study = studyCells(await store.list(), name);
  if (!study) throw new Error('The study is not there.');
  const table = studyTable(await studyScores(study, runsOf(store), way));
  const isOne = new Set(expected.map(({ dataset }) => dataset)).size === 1;
  const label = ({ method, dataset }: { method: string; dataset: string }) =>
    isOne ? method : `${method} (${dataset})`;
  expect(evaluation.comparisons).toHaveLength(expected.length);

  // JSON of compare.
  const json = JSON.parse(JSON.stringify(comparisonJson(evaluation)));
  for (const one of expected) {
    const found = json.comparisons.find(
      ({ first, metric, slice }: { first: string; metric: string; slice?: { value: string } }) =>
        first === label(one) && metric === one.metric && (slice?.value ?? '') === one.slice,
    );
    expect(found).toMatchObject({ decision: one.decision, family: expected.length });
    for (const part of ['mean', 'low', 'high'] as const) {
      expect(found.difference[part]).toBeCloseTo(one[part], 8);
    }
    expect(found.p).toBeCloseTo(one.p, 8);
    expect(found.corrected).toBeCloseTo(one.corrected, 8);
    expect(found.level).toBeCloseTo(one.level, 12);
  }

  // Text of compare, not broken into lines.
  const text = comparisonText(evaluation, 1000);
  let heading = '';
  const lines = text.split('\n').map((line) => {
    heading = /^ {2}(\S+):$/.exec(line)?.[1] ?? (line.startsWith('    ') ? heading : '');
    return { dataset: heading, line: line.trim() };
  });
  for (const one of expected) {
    const line = lines.find(
      ({ dataset, line: each }) =>
        (dataset === '' || dataset === one.dataset) &&
        each.startsWith(`${one.slice && `type ${one.slice}: `}${one.method} minus base`) &&
        each.includes(`, ${TITLES[one.metric]}: `),
    )?.line;
    const match =
      /: (\S+) \((\S+) to (\S+) at (\S+) %\), p (<? ?[\d.]+), corrected (<? ?[\d.]+), .*, (.*)$/.exec(
        line ?? '',
      );
    const [, mean = '', low = '', high = '', level = '', p = '', corrected = '', words = ''] =
      match ?? [];
    expectShown({ mean, low, high, level, p, corrected }, one);
    const said = {
      better: `${one.method} is better`,
      worse: 'base is better',
      noDifference: 'no difference shown',
    };
    expect(line?.endsWith(said[one.decision])).toBe(true);
    expect(words).not.toBe('');
  }

  // HTML of the report.
  const html = await reportOf(sources, way);
  const rows = [...html.matchAll(/<tr><th scope="row">(.*?)<\/th>(.*?)<\/tr>/gs)].filter(
    ([, , cells]) => cells?.includes('data-label="Decision"'),
  );
  expect(rows).toHaveLength(expected.length);
  const drawnLines = [...html.matchAll(/<text class="name"[^>]*>(.*?)<\/text>/g)].map(
    ([, text]) => text,
  );
  for (const one of expected) {
    // Each data set has the study's name for it, and each line of a picture its slice and its metric.
    expect(html).toMatch(new RegExp(`<h2[^>]*>${one.dataset}</h2>`));
    const end = [...(one.slice === '' ? [] : [one.slice]), TITLES[one.metric]].join(', ');
    expect(drawnLines.filter((line) => line?.endsWith(`, ${end}`))).not.toEqual([]);
    const cellsOf = (cells: string) => (title: string) =>
      new RegExp(`data-label="${title}">(.*?)</td>`, 's')
        .exec(cells)?.[1]
        ?.replaceAll(/<[^>]*>/g, '') ?? '';
    const shown = rows
      .map(([, head = '', cells = '']) => ({
        head: head.replaceAll(/<[^>]*>/g, ''),
        cell: cellsOf(cells),
      }))
      .filter(
        ({ head, cell }) =>
          head.includes(one.method) &&
          head.includes(one.slice) &&
          cell('Metric') === TITLES[one.metric],
      )
      .find(({ cell }) => {
        const [mean = ''] = cell('Difference, interval').split(' ');
        return Math.abs(number(mean) - 100 * one.mean) < 0.051;
      });
    const match = /(\S+) (\S+) to (\S+) at (\S+) %/.exec(shown?.cell('Difference, interval') ?? '');
    const [, mean = '', low = '', high = '', level = ''] = match ?? [];
    const unescaped = (cell: string) => cell.replaceAll('&#60;', '<');
    const p = unescaped(shown?.cell('p') ?? '');
    const corrected = unescaped(shown?.cell('corrected') ?? '');
    expectShown({ mean, low, high, level, p, corrected }, one);
    const decision = shown?.cell('Decision') ?? '';
    expect(decision.endsWith('is better')).toBe(one.decision !== 'noDifference');
  }

  // CSV and JSON of the study's table.
  const csv = parse(renderTable(table, 'csv'), { columns: true }) as Record<string, string>[];
  const cells = JSON.parse(renderTable(table, 'json'));
  for (const one of expected) {
    const line = csv.find(
      ({ slice, method, dataset, metric }) =>
        slice === one.slice &&
        method === one.method &&
        dataset === one.dataset &&
        metric === TITLES[one.metric],
    );
    expect(line).toMatchObject({ decision: one.decision, against: 'base' });
    const fields = { mean: 'difference', low: 'differenceLow', high: 'differenceHigh' } as const;
    for (const [part, field] of Object.entries(fields)) {
      expect(Number(line?.[field])).toBeCloseTo(one[part as keyof typeof fields], 8);
    }
    for (const part of ['p', 'corrected', 'level'] as const) {
      expect(Number(line?.[part])).toBeCloseTo(one[part], 8);
    }
    const column = cells.columns.findIndex(
      ({ dataset, metric }: { dataset: string; metric: string }) =>
        dataset === one.dataset && metric === one.metric,
    );
    const row = cells.rows.find(
      ({ method, slice = '' }: { method: string; slice?: string }) =>
        method === one.method && slice === one.slice,
    );
    expect(row.cells[column].comparison).toMatchObject({ decision: one.decision });
    expect(row.cells[column].comparison.p).toBeCloseTo(one.p, 8);
  }

  // LaTeX, and the dagger in text.
  const titles = table.columns.map(({ dataset, metric }) => ({ dataset, metric }));
  const latex = renderTable(table, 'latex').split('\n');
  const plain = renderTable(table, 'text').split('\n');
  for (const one of expected) {
    const at = titles.findIndex(
      ({ dataset, metric }) => dataset === one.dataset && metric === one.metric,
    );
    const named = one.slice === '' ? [one.method] : [one.slice, one.method];
    const line = latex.find((each) => each.trim().startsWith(`${named.join(' & ')} &`)) ?? '';
    const [mean = '', difference = '', p = '', corrected = ''] = line
      .replace(/ \\\\$/, '')
      .split(' & ')
      .slice(-4 * titles.length)
      .slice(4 * at, 4 * at + 4)
      .map((cell) => cell.trim().replaceAll(/\$([-+<])\$/g, '$1'));
    const match = /(\S+) \[(\S+), (\S+); (\S+) \\%\]/.exec(difference);
    const [, middle = '', low = '', high = '', level = ''] = match ?? [];
    expectShown({ mean: middle, low, high, level, p, corrected }, one);
    expect(mean.includes('dagger')).toBe(one.decision !== 'noDifference');
    const row = plain.find((each) => new RegExp(`^${named.join(' +')} `).test(each)) ?? '';
    const marked = row.split(/ {2,}/).slice(-titles.length)[at] ?? '';
    expect(marked.includes('†')).toBe(one.decision !== 'noDifference');
  }
});

test.each([1, 2, 3])('JUnit %i: the interval of a score gate, and what follows from it', (seed) => {
  const random = seededRandom(`junit/${seed}`);
  const [questions, right] = [80, Math.floor(80 * random())];
  const progress: RunProgress = {
    run: 'r',
    method: 'sure',
    state: 'finished',
    pause: null,
    settings: settingsOf({}),
    questions,
    running: 0,
    usage: NO_USAGE,
    startedAt: 0,
    ...NO_SUMS,
    done: questions,
    scores: { em: { questions, sum: right, sumOfSquares: right } },
  };
  for (const least of [0.1, 0.3, 0.5, 0.7, 0.9]) {
    const xml = junitXml('gates', gateResults(statusOfProgress(progress, true, ''), { EM: least }));
    const [, mean, low, high] = /([\d.]+) % \(([\d.]+) to ([\d.]+) at 95 %/.exec(xml) ?? [];
    // Wilson's ends: the shares that are 1.96 standard errors from the one found.
    const share = right / questions;
    const end = (side: 1 | -1) => {
      let [inside, beyond] = [share, side === 1 ? 1 : 0];
      for (let step = 0; step < 60; step++) {
        const middle = (inside + beyond) / 2;
        const z = Math.abs(share - middle) / Math.sqrt((middle * (1 - middle)) / questions);
        if (z < 1.96) inside = middle;
        else beyond = middle;
      }
      return inside;
    };
    expect(Number(mean)).toBeCloseTo(100 * share, 1);
    // The variance counts one right and one wrong answer more.
    expect(Math.abs(Number(low) - 100 * end(-1))).toBeLessThan(1);
    expect(Math.abs(Number(high) - 100 * end(1))).toBeLessThan(1);
    const isFail = Number(high) < 100 * least;
    const isPass = Number(low) >= 100 * least;
    expect(xml.includes('<failure')).toBe(isFail);
    expect(xml.includes('<error')).toBe(!isFail && !isPass);
  }
});
