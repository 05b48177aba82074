/** What the report shows of a tune: its table, what is said of it, and quality by cost. */
import { expect, test } from 'vitest';
import type { FinalistResult } from '../../evaluation/tune/confirm.js';
import { type TunedPipeline, tuneTable } from '../../evaluation/tune/tune-table.js';
import { tuneSection } from '../../report/sections/tunes.js';

const found = (mean: number, isShown: boolean): FinalistResult => ({
  id: 'x',
  questions: 90,
  changed: 9,
  difference: { mean, low: mean - 0.03, high: mean + 0.03 },
  p: 0.01,
  corrected: 0.02,
  isShown,
});

const START = pipeline('start', 0.8, 0.004, { onB: { mean: 0.7, usd: 0.004 } });
const GOOD = pipeline('read: nano <1>', 0.79, 0.001, {
  onB: { mean: 0.7, usd: 0.001 },
  shown: found(0, true),
});
const POOR = pipeline('read: tiny', 0.84, 0.0005, {
  onB: { mean: 0.6, usd: 0.0005 },
  shown: found(-0.1, false),
});
const ONLY_A = pipeline('passages 5', 0.82, 0.003);
/** Right on all of the few questions that it was asked. */
const DROPPED = pipeline('passages 1', 1, 0.002, { questions: 10, startOnA: 1 });

function pipeline(label: string, mean: number, usd: number | null, more = {}): TunedPipeline {
  return { label, questions: 80, onA: { mean, usd }, startOnA: 0.8, ...more };
}

function sectionOf(candidates: readonly TunedPipeline[], start = START): string {
  const tune = { name: 'cheap er', goal: 'cheaper', margin: 5 } as const;
  return tuneSection(tuneTable(tune, 'EM', start, candidates))?.source ?? '';
}

/** Returns the points of the picture by their names, as its label tells them. */
function pointsIn(html: string): Record<string, string> {
  const [, label = ''] = /aria-label="([^"]*)"/.exec(html) ?? [];
  const text = label.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  const said = text.slice(text.indexOf(': ') + 2).split('; ');
  return Object.fromEntries(said.map((one) => one.split(/ (?=\S+ at )/)));
}

test('tells what half B shows, a row for each candidate', () => {
  const html = sectionOf([GOOD, POOR, ONLY_A, DROPPED]);
  expect(html).toContain('<section id="tune-cheap-er"');
  expect(html).toContain(
    'Half B shows &#34;read: nano &#60;1&#62;&#34; to be cheaper by 75.0 %, losing less than 5 points.',
  );
  expect(html).not.toContain('nano <1>');
  const rows = [...html.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    row.replaceAll(/<[^>]*>/g, '|').replaceAll(/[|\s]+/g, ' '),
  );
  expect(rows.slice(1)).toEqual([
    ' 1 start 80.0 70.0 – $0.004 – – ',
    ' 2 * read: nano &#60;1&#62; 79.0 (−1.0) 70.0 0.0 (−3.0 to +3.0) $0.001 75.0 % shown ',
    ' 3 * read: tiny 84.0 (+4.0) 60.0 −10.0 (−13.0 to −7.0) $0.0005 87.5 % not shown ',
    ' 4 * passages 5 82.0 (+2.0) – – $0.003 25.0 % not confirmed ',
    ' 5 passages 1 100.0 (0.0) of 10 – – $0.002 50.0 % not confirmed ',
  ]);
  expect(html).toContain(
    'Candidates were chosen by half A, so only half B shows how good they are.',
  );
});

test('draws quality by cost: half B where it was asked, what half A adds elsewhere', () => {
  const html = sectionOf([GOOD, POOR, ONLY_A, DROPPED]);
  // On half B the start has 70: so all stand as if that were asked.
  expect(pointsIn(html)).toEqual({
    start: '70 at $0.004',
    'read: nano <1>': '70 at $0.001',
    'read: tiny': '60 at $0.0005',
    'passages 5': '72 at $0.003',
  });
  // The candidate that was asked few questions is no point, and not on the frontier.
  const [, line = ''] = /class="frontier" points="([^"]*)"/.exec(html) ?? [];
  expect(line.split(' ')).toHaveLength(3);
  expect(html).toMatch(/<g class="c0"><title>start<\/title>/);
  expect(html).toMatch(/<g class="c2"><title>read: nano/);
  expect(html).toMatch(/<g class="c1"><title>passages 5<\/title>/);
});

test('draws nothing where nothing has a price', () => {
  const free = pipeline('start', 0.8, null);
  expect(sectionOf([pipeline('a', 0.9, null)], free)).not.toContain('Quality by cost');
});

test('says what is still possible where nothing was confirmed', () => {
  expect(sectionOf([POOR])).toContain(
    'Nothing was confirmed: no finalist is shown to lose less than 5 points; the best may lose 13.0. None can be better than the start.',
  );
});
