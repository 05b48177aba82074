/** Gates, and what is said of them. */
import { expect, test } from 'vitest';
import { seededRandom } from '../../../core/sampler.js';
import { decidableMargin, gate, scoreGate } from '../../../evaluation/statistics/gate.js';
import { gatesMarkdown, gateText, junitXml } from '../../../evaluation/study/gate-summaries.js';

const drawn = (random: () => number, first: number, second: number, count: number) =>
  Array.from({ length: count }, () => {
    const luck = random();
    return luck < first ? 1 : luck < first + second ? -1 : 0;
  });

const RULE = { margin: 0.05, questions: 1000 };

test.each([
  ['exactly the margin worse is seldom passed or failed', 0.075, 0.125, 0.09],
  ['alike is never failed and mostly passed', 0.1, 0.1, 1],
])('%s', (name, first, second, most) => {
  const random = seededRandom(name);
  const found = Array.from(
    { length: 60 },
    () => gate({ differences: drawn(random, first, second, 1000) }, RULE).verdict,
  );
  const share = (verdict: string) => found.filter((v) => v === verdict).length / found.length;
  expect(share('PASS')).toBeLessThanOrEqual(most);
  expect(share('FAIL')).toBeLessThanOrEqual(0.09);
  if (most === 1) expect(share('PASS')).toBeGreaterThan(0.5);
});

test('worse by far fails, and the verdict stands', () => {
  const differences = drawn(seededRandom('far'), 0.02, 0.3, 300);
  const found = gate({ differences }, RULE);
  expect(found.verdict).toBe('FAIL');
  expect(found.difference.high).toBeLessThan(0);
  const more = [...differences, ...Array.from({ length: 100 }, () => 1)];
  expect(gate({ differences: more }, RULE)).toMatchObject({
    verdict: 'FAIL',
    decidedAt: found.decidedAt,
  });
});

test('the margin that is said beforehand is passed about every other time', () => {
  const margin = decidableMargin({ questions: 500 }, 0.2) ?? 1;
  expect(margin).toBeGreaterThan(0.03);
  expect(margin).toBeLessThan(0.12);
  const random = seededRandom('beforehand');
  const passed = Array.from({ length: 60 }, () =>
    gate({ differences: drawn(random, 0.1, 0.1, 500) }, { margin, questions: 500 }),
  ).filter(({ verdict }) => verdict === 'PASS');
  expect(passed.length / 60).toBeGreaterThan(0.35);
  expect(passed.length / 60).toBeLessThan(0.9);
  const margins = [50, 200, 800].map((questions) => decidableMargin({ questions }, 0.2) ?? 1);
  expect(margins).toEqual(margins.toSorted((a, b) => b - a));
  expect(decidableMargin({ questions: 3 }, 0.2)).toBeUndefined();
});

test('a least score fails, passes, or is not decided by the whole interval', () => {
  expect(scoreGate({ mean: 0.3, low: 0.2, high: 0.39 }, 0.4)).toBe('FAIL');
  expect(scoreGate({ mean: 0.5, low: 0.4, high: 0.6 }, 0.4)).toBe('PASS');
  expect(scoreGate({ mean: 0.5, low: 0.3, high: 0.6 }, 0.4)).toBe('UNDECIDED');
});

test('a gate in words, as JUnit and as Markdown', () => {
  const found = gate({ differences: [1, 0, -1] }, { ...RULE, about: 'thisDataset' });
  const said = gateText(found, 'base');
  expect(said).toContain('not decided whether it is 5.0 points worse than base: difference 0.0');
  expect(said).toContain('after 3 questions, for this data set, not for other questions');
  const gates = [
    { name: 'a < b & "c"', verdict: 'PASS' as const, summary: 'well\u0000' },
    { name: 'd|e', verdict: 'FAIL' as const, summary: said },
    { name: 'f_g', verdict: 'UNDECIDED' as const, summary: 'two\nlines' },
  ];
  const xml = junitXml('nightly', gates);
  expect(xml).toContain('<testsuites tests="3" failures="1" errors="1">');
  expect(xml).toContain('name="a &lt; b &amp; &quot;c&quot;"');
  expect(xml).toContain('<system-out>well</system-out>');
  expect(xml).toContain('<error type="UNDECIDED" message="two&#10;lines"/>');
  expect(gatesMarkdown('nightly', gates)).toContain('| FAIL | d\\|e |');
  expect(gatesMarkdown('nightly', gates)).toContain('| UNDECIDED | f\\_g | two lines |');
});
