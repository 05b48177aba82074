/** A mean with its interval, small enough for the cell of a table. Pure. */
import type { Interval } from '../../evaluation/statistics/score-interval.js';
import { html, type Markup } from '../html.js';
import { between } from './scale.js';

const WIDTH = 132;
const HEIGHT = 14;
const EDGE = 5;

/** The range that the whiskers of a column share. */
type Domain = Omit<Interval, 'mean'>;

/** Equal values have no range. */
const LEAST_SPAN = 0.02;

export function domainOf(intervals: readonly Interval[]): Domain {
  const values = intervals.flatMap(({ low, high, mean }) => [low, high, mean]);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const spare = Math.max(0, LEAST_SPAN - (high - low)) / 2;
  return { low: low - spare, high: high + spare };
}

/** Draws a mean with its interval as SVG. @param colour CSS class of the colour. */
export function whisker({ mean, low, high }: Interval, domain: Domain, colour: string): Markup {
  const x = between(domain.low, domain.high, EDGE, WIDTH - EDGE);
  const middle = HEIGHT / 2;
  return html`<svg class="whisker ${colour}" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="xMinYMid" height="${HEIGHT}" aria-hidden="true">
<line class="rail" x1="0" x2="${WIDTH}" y1="${middle}" y2="${middle}"/>
<line class="range" x1="${x(low)}" x2="${x(high)}" y1="${middle}" y2="${middle}"/>
<circle class="mean" cx="${x(mean)}" cy="${middle}" r="3.5"/></svg>`;
}
