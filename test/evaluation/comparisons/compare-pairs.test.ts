/** The one place that concludes: what it finds, what it leaves alone, and how often it is wrong. */
import { expect, test } from 'vitest';
import { seededRandom } from '../../../core/sampler.js';
import {
  type Comparison,
  comparePairs,
  type FamilyRule,
} from '../../../evaluation/comparisons/compare-pairs.js';
import { decisionWords, testWords } from '../../../evaluation/comparisons/decision-words.js';
import { testedMetrics } from '../../../evaluation/comparisons/tested-metrics.js';
import { cellOf } from '../../support/cells.js';

type Cell = ReturnType<typeof cellOf>;

function compared(
  pairs: readonly [first: Cell, second: Cell][],
  metrics?: readonly string[],
  rule: Omit<FamilyRule, 'metrics'> = {},
) {
  return comparePairs(
    pairs.map(([first, second]) => ({ first, second })),
    { ...rule, metrics: testedMetrics(pairs.flat(), metrics) },
  );
}

const ones = (right: number, of: number, from = 0) =>
  Array.from({ length: of }, (_, i) => Number(i >= from && i < from + right));

const names = { first: 'sure', second: 'base' };

test('every metric that is asked for counts in the correction', () => {
  const scores = { em: ones(40, 60), f1: ones(40, 60), hasAnswer: ones(40, 60) };
  const base = { em: ones(30, 60), f1: ones(30, 60), hasAnswer: ones(30, 60) };
  const [alone] = compared([[cellOf(scores), cellOf(base)]]);
  expect(alone).toMatchObject({ metric: 'em', family: 1, decision: 'better' });
  const three = compared([[cellOf(scores), cellOf(base)]], ['EM', 'f1', 'has answer']);
  expect(three.map(({ metric, family }) => [metric, family])).toEqual([
    ['em', 3],
    ['f1', 3],
    ['hasAnswer', 3],
  ]);
  for (const { p, corrected } of three) {
    expect(p).toBe(alone?.p);
    expect(corrected).toBeCloseTo(3 * (alone?.p ?? 0), 12);
  }
  expect(testWords(three)).toMatch(/McNemar.*Bonett and Price; p is corrected by Holm over 3/);
});

test('comparisons that are missing count as well, so that a part never shows more than the whole', () => {
  const random = seededRandom('part');
  for (let draw = 0; draw < 200; draw++) {
    const base = cellOf({ em: ones(20, 50) });
    const pairs = [0, 1, 2, 3].map((): [Cell, Cell] => [
      cellOf({ em: ones(20 + Math.floor(12 * random()), 50) }),
      base,
    ]);
    const whole = compared(pairs);
    const shown = pairs.filter(() => random() < 0.5);
    const part = compared(shown, undefined, { missing: pairs.length - shown.length });
    for (const one of part) {
      const same = whole.find(({ pair }) => pair.first === one.pair.first);
      expect(one.corrected ?? 1).toBeGreaterThanOrEqual((same?.corrected ?? 1) - 1e-12);
      if (one.decision === 'better') expect(same?.decision).toBe('better');
    }
  }
});

// LLatrieval answered 62 of 100 questions and had no exact match; base had 48 by both.
const FORMS: [form: 'prose' | 'list', metric: string, fits: string | null][] = [
  ['prose', 'em', 'hasAnswer'],
  ['prose', 'f1', 'hasAnswer'],
  ['list', 'em', 'hasAnswer'],
  ['prose', 'listF1At5', null],
  ['prose', 'rougeLsum', null],
];
test.each(FORMS)('of %s and short answers nothing is concluded by %s', (form, metric, fits) => {
  const prose = cellOf({ [metric]: ones(0, 100), hasAnswer: ones(62, 100) }, { form });
  const short = cellOf({ [metric]: ones(48, 100), hasAnswer: ones(48, 100) });
  const [one, other] = compared([[prose, short]], [metric, 'hasAnswer']);
  const [by, fit] = one?.metric === metric ? [one, other] : [other, one];
  expect(by).toMatchObject({ decision: 'formsDiffer', p: null, corrected: null, family: 0 });
  expect(by?.fits?.metric ?? null).toBe(fits);
  // It takes no part in the correction of what can be compared.
  expect(fit).toMatchObject({ metric: 'hasAnswer', decision: 'better', family: 1 });
  const words = decisionWords(by as Comparison<never>, names);
  expect(words).toMatch(
    /^\S.* cannot compare these answers: sure answers .*, base in a few words; /,
  );
  expect(words).not.toContain('better');
  expect(words).toContain(fits ? 'Has answer can (metric hasAnswer)' : 'no score in a metric');
  // Of one form they are compared.
  const alike = compared([[prose, { ...short, form }]], [metric]);
  expect(alike).toMatchObject([{ decision: 'worse' }]);
});

test('answers of different forms without the metric that would fit both', () => {
  const [found] = compared([
    [cellOf({ em: ones(0, 40) }, { form: 'prose' }), cellOf({ em: ones(9, 40) })],
  ]);
  expect(found).toMatchObject({ decision: 'formsDiffer', fits: null });
});

test('with a margin: not worse, worse by it, or not shown', () => {
  const base = cellOf({ em: ones(250, 500) });
  const decided = (right: number, margin: number) => {
    const [found] = compared([[cellOf({ em: ones(right, 500) }), base]], ['em'], { margin });
    return found;
  };
  expect(decided(250, 0.02)).toMatchObject({ decision: 'notWorse', margin: 0.02 });
  expect(decided(200, 0.02)).toMatchObject({ decision: 'worse' });
  expect(decided(240, 0.02)).toMatchObject({ decision: 'undecided' });
  const words = (right: number) => decisionWords(decided(right, 0.02) as Comparison<never>, names);
  expect([250, 200, 240].map(words)).toEqual([
    'sure is not worse by 2.0 points',
    'sure is worse by 2.0 points or more',
    'not shown whether sure is worse by 2.0 points',
  ]);
  for (let right = 180; right <= 320; right++) {
    const { decision, difference } = decided(right, 0.02) as Comparison<never>;
    expect(decision === 'notWorse').toBe(difference.low > -0.02);
    expect(decision === 'worse').toBe(difference.high < -0.02);
  }
});

test('a metric that counts questions by their size is compared by the sums', () => {
  const wholes = new Map(Array.from({ length: 30 }, (_, i) => [`q${i}`, 1 + (i % 3)]));
  const of = (em: number[]) => {
    const cell = cellOf({ em });
    return { ...cell, metrics: cell.metrics.map((metric) => ({ ...metric, wholes })) };
  };
  // Right is every third question, the largest; by questions that is a third, by size a half.
  const right = Array.from({ length: 30 }, (_, i) => Number(i % 3 === 2));
  const [found] = compared([[of(right), of(ones(0, 30))]]);
  expect(found?.difference.mean).toBeCloseTo(0.5, 12);
});

const TIMES = 1000;
/** The share of draws in which something is wrongly decided may be above alpha by chance. */
const MOST = 0.05 * TIMES + 2 * Math.sqrt(0.05 * 0.95 * TIMES);

/** Short answers of one method: EM, F1 that is at least as high, and whether the answer is there. */
function drawnAnswers(ease: readonly number[], random: () => number) {
  const em = ease.map((chance) => Number(random() < chance));
  const f1 = em.map((right) => (right ? 1 : random() < 0.5 ? 0 : random()));
  const hasAnswer = em.map((right) => Number(right === 1 || random() < 0.2));
  return { em, f1, hasAnswer };
}

test.each([
  [1, ['em']],
  [1, ['em', 'f1', 'hasAnswer']],
  [3, ['em', 'f1', 'hasAnswer']],
])('no difference, %i methods and the baseline, %j: wrong in at most alpha', (methods, metrics) => {
  const random = seededRandom(`null/${methods}/${metrics}`);
  let wrong = 0;
  for (let draw = 0; draw < TIMES; draw++) {
    const ease = Array.from({ length: 40 }, () => random());
    const base = cellOf(drawnAnswers(ease, random));
    const pairs = Array.from({ length: methods }, (): [Cell, Cell] => [
      cellOf(drawnAnswers(ease, random)),
      base,
    ]);
    const found = compared(pairs, metrics);
    if (found.some(({ decision }) => decision === 'better' || decision === 'worse')) wrong++;
  }
  expect(wrong).toBeLessThanOrEqual(MOST);
});

/** Documents of unequal size: most have a question or two, a few have many. */
function drawnClusters(clusters: number, random: () => number): string[] {
  return Array.from({ length: clusters }, (_, doc) => {
    const size = 1 + Math.floor(-2.5 * Math.log(1 - random()));
    return Array.from({ length: size }, () => `d${doc}`);
  }).flat();
}

const groupingOf = (field: string, values: readonly string[]) => ({
  field,
  of: new Map(values.map((value, i) => [`q${i}`, value])),
});

test.each([
  [20, false],
  [40, false],
  [60, true],
])('no difference, %i documents, by slices %s: wrong in at most alpha', (documents, isSliced) => {
  const random = seededRandom(`clusters/${documents}/${isSliced}`);
  let [wrong, alone] = [0, 0];
  for (let draw = 0; draw < TIMES; draw++) {
    const docs = drawnClusters(documents, random);
    // Which of two is right about a document, nearly all of its questions share.
    const cellsOf = ['first', 'second'].map(() => {
      const knows = new Map(docs.map((doc) => [doc, random() < 0.5]));
      return docs.map((doc) => Number(random() < (knows.get(doc) ? 0.9 : 0.1)));
    });
    const clusters = groupingOf('doc', docs);
    const types = docs.map((doc) => (Number(doc.slice(1)) % 2 === 0 ? 'bridge' : 'compare'));
    const slices = isSliced ? { slices: groupingOf('type', types) } : {};
    const decide = (groups: Partial<Cell>) => {
      const [first = [], second = []] = cellsOf;
      const found = compared([
        [cellOf({ em: first }, { ...groups, ...slices }), cellOf({ em: second }, groups)],
      ]);
      return found.some(({ decision }) => decision === 'better' || decision === 'worse');
    };
    if (decide({ clusters })) wrong++;
    if (decide({})) alone++;
  }
  expect(wrong).toBeLessThanOrEqual(MOST);
  // Each question for itself, the same answers differ far too often.
  expect(alone).toBeGreaterThan(2 * MOST);
});

test('no difference in any of five slices: wrong in at most alpha over all of them', () => {
  const random = seededRandom('slices');
  const slices = groupingOf(
    'hop',
    Array.from({ length: 150 }, (_, i) => String(i % 5)),
  );
  let wrong = 0;
  for (let draw = 0; draw < TIMES; draw++) {
    const ease = Array.from({ length: 150 }, () => random());
    const base = cellOf(drawnAnswers(ease, random));
    const found = compared([[cellOf(drawnAnswers(ease, random), { slices }), base]], ['em', 'f1']);
    expect(found).toHaveLength(10);
    if (found.some(({ decision }) => decision === 'better' || decision === 'worse')) wrong++;
  }
  expect(wrong).toBeLessThanOrEqual(MOST);
});

test.each([40, 200])(
  'worse by just the margin, %i questions: decided in at most alpha',
  (questions) => {
    const random = seededRandom(`margin/${questions}`);
    let wrong = 0;
    for (let draw = 0; draw < TIMES; draw++) {
      // Right where the other is wrong in 10 of 100, the other way round in 15.
      const luck = Array.from({ length: questions }, random);
      const first = cellOf({ em: luck.map((one) => Number(one < 0.1)) });
      const second = cellOf({ em: luck.map((one) => Number(one >= 0.1 && one < 0.25)) });
      const [found] = compared([[first, second]], ['em'], { margin: 0.05 });
      if (found?.decision !== 'undecided') wrong++;
    }
    expect(wrong).toBeLessThanOrEqual(MOST);
  },
);
