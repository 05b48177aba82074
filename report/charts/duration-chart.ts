/** How long questions took: a histogram with lines at the median and the 90th percentile. Pure. */

import { seconds } from '../../evaluation/runs/numbers.js';
import type { Durations } from '../../evaluation/runs/run-figures.js';
import { html, type Markup } from '../html.js';
import { between } from './scale.js';

const WIDTH = 420;
const HEIGHT = 82;
const FLOOR = 56;
const BINS = 42;
const TICKS = [0.01, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 300, 1000, 3000, 10_000];

/**
 * The ends of the time axis that the charts of several runs share, in seconds; no time is below the
 * first.
 */
export interface Span {
  shortest: number;
  longest: number;
}

/** A logarithmic axis: questions that wait take many times as long. */
export function spanOf(all: readonly Durations[]): Span {
  const shortest = Math.min(...all.map(({ sorted }) => sorted[0] ?? 1));
  const longest = Math.max(...all.map(({ sorted }) => sorted.at(-1) ?? 1));
  const least = Math.max(0.01, shortest * 0.9);
  return { shortest: least, longest: Math.max(longest * 1.1, least * 4) };
}

export function durationChart(
  { sorted, median, p90 }: Durations,
  { shortest, longest }: Span,
  colour: string,
): Markup {
  const place = between(Math.log(shortest), Math.log(longest), 0, WIDTH);
  const x = (value: number) => place(Math.log(Math.max(value, shortest)));
  const bins = new Array<number>(BINS).fill(0);
  for (const value of sorted) {
    const bin = Math.min(BINS - 1, Math.floor((x(value) / WIDTH) * BINS));
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  const most = Math.max(...bins);
  const width = WIDTH / BINS;
  const height = between(0, most, 0, FLOOR - 4);
  const bars = bins.map((count, i) =>
    count === 0
      ? ''
      : html`<rect class="bar" x="${(i * width).toFixed(2)}" width="${(width - 1).toFixed(2)}" y="${FLOOR - Math.max(1, height(count))}" height="${Math.max(1, height(count))}"/>`,
  );
  const marks = html`<line class="mark" x1="${x(median)}" x2="${x(median)}" y1="0" y2="${FLOOR}"/>
<line class="mark p90" x1="${x(p90)}" x2="${x(p90)}" y1="0" y2="${FLOOR}"/>`;
  const ticks = TICKS.filter((tick) => tick >= shortest && tick <= longest);
  return html`<svg class="chart histogram ${colour}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Time a question: median ${seconds(median)}, 90th percentile ${seconds(p90)}">
<line class="axis" x1="0" x2="${WIDTH}" y1="${FLOOR}" y2="${FLOOR}"/>${bars}${marks}
<g class="ticks">${ticks.map((tick) => html`<text x="${x(tick)}" y="${FLOOR + 18}" text-anchor="${x(tick) < 12 ? 'start' : x(tick) > WIDTH - 20 ? 'end' : 'middle'}">${tick.toLocaleString('en-US')} s</text>`)}</g></svg>`;
}
