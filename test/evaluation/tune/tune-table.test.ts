/** What came of a tune, as it is printed. */
import { expect, test } from 'vitest';
import type { FinalistResult } from '../../../evaluation/tune/confirm.js';
import {
  paidBackText,
  renderTune,
  type TunedPipeline,
  tuneTable,
  winnerOf,
} from '../../../evaluation/tune/tune-table.js';

const TUNE = { name: 't', goal: 'cheaper', margin: 5 } as const;

const pipeline = (label: string, mean: number, usd: number | null, more = {}): TunedPipeline => {
  return { label, questions: 80, onA: { mean, usd }, startOnA: 0.6, ...more };
};

const found = (isShown: boolean): FinalistResult => ({
  id: 'x',
  questions: 70,
  changed: 7,
  difference: { mean: -0.01, low: -0.04, high: 0.02 },
  p: 0.01,
  corrected: 0.02,
  isShown,
});

const START = pipeline('start', 0.6, 0.01, { onB: { mean: 0.6, usd: 0.01 } });
const GOOD = pipeline('read: nano', 0.62, 0.002, {
  onB: { mean: 0.59, usd: 0.002 },
  shown: found(true),
});
/** Its first questions were easy ones: it has lost ten points on them. */
const DROPPED = pipeline('k=1, "quoted" & 50%', 0.8, 0.004, { questions: 10, startOnA: 0.9 });

test('says what half B shows, the best of it first', () => {
  const table = tuneTable(TUNE, 'EM', START, [GOOD, DROPPED]);
  expect(table.rows[1]).toMatchObject({ decision: 'shown', scoreA: 0.62, scoreB: 0.59 });
  expect(table.rows[1]?.saved).toBeCloseTo(0.8);
  const said = 'Half B shows "read: nano" to be cheaper by 80.0 %, losing less than 5 points.';
  expect(table.conclusion).toBe(said);
  const less = { ...GOOD, label: 'less', onB: { mean: 0.6, usd: 0.003 } };
  expect(tuneTable(TUNE, 'EM', START, [less, GOOD]).conclusion).toBe(`${said} Also shown: "less".`);
  const better = { ...TUNE, goal: 'better' } as const;
  expect(tuneTable(better, 'EM', START, [GOOD]).conclusion).toBe(
    'Half B shows "read: nano" to be better, by −1.0 (−4.0 to +2.0) points.',
  );
  expect(winnerOf(table)?.candidate).toBe('read: nano');
  const winner = winnerOf(table);
  expect(winner && paidBackText(table, winner, 4)).toContain('after 500 questions');
  expect(renderTune(table, 'text')).toContain('−1.0 (−4.0 to +2.0)');
  expect(renderTune(table, 'text')).toContain('80.0 (−10.0) of 10');
});

test.each([
  ['what half B says goes before half A', [GOOD, DROPPED], ['start', 'read: nano']],
  // A higher mean on easier questions is no better one.
  ['what was asked less is not compared', [{ ...DROPPED, usd: 0.0001 }], ['start']],
  ['as good and dearer', [pipeline('dearer', 0.6, 0.02)], ['start']],
  ['as good and as dear', [pipeline('alike', 0.6, 0.01)], ['start', 'alike']],
  ['better and cheaper', [pipeline('best', 0.7, 0.001)], ['best']],
  [
    'a gain on half A beside one on half B',
    // On half B the start is ten points lower than on half A; so is what gains nothing there.
    [pipeline('half A', 0.61, 0.005), { ...GOOD, onB: { mean: 0.5, usd: 0.006 } }],
    ['half A'],
  ],
  ['of unknown cost', [pipeline('unpriced', 0.7, null)], ['start', 'unpriced']],
] as const)('is on the frontier: %s', (_, candidates, on) => {
  const { rows } = tuneTable(TUNE, 'EM', START, candidates);
  expect(rows.filter((row) => row.isFrontier).map(({ candidate }) => candidate)).toEqual(on);
});

test('writes it as CSV, LaTeX, Markdown and JSON', () => {
  const table = tuneTable(TUNE, 'EM', START, [GOOD, DROPPED]);
  expect(renderTune(table, 'csv').split('\n')[3]).toBe(
    '"k=1, ""quoted"" & 50%",10,0.8,-0.09999999999999998,,,,,,0.004,0.6,not confirmed,false',
  );
  expect(renderTune(table, 'latex')).toContain("k=1, ``quoted'' \\& 50\\%");
  expect(renderTune(table, 'markdown').split('\n')[1]).toMatch(/^\| ---/);
  expect(JSON.parse(renderTune(table, 'json'))).toEqual(table);
});

test.each([
  ['no change was cheaper', TUNE, [DROPPED], /Nothing was confirmed: no change was cheaper/],
  ['nothing has a price', TUNE, [pipeline('a', 0.6, 0)], /no price is known/],
  ['no change was better', { ...TUNE, goal: 'better' }, [DROPPED], /no change was better/],
  [
    'a finalist is not shown',
    TUNE,
    [{ ...GOOD, shown: found(false) }],
    /no finalist is shown to lose less than 5 points; the best may lose 4\.0\. .* possible is \+2\.0 points\./,
  ],
] as const)('says that nothing was confirmed where %s', (what, tune, candidates, said) => {
  const isFree = what === 'nothing has a price';
  const start = isFree ? pipeline('start', 0.6, 0) : START;
  const table = tuneTable(tune, 'EM', start, candidates);
  expect(table.conclusion).toMatch(said);
  expect(winnerOf(table)).toBeUndefined();
});
