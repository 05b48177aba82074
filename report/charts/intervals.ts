/** Draws intervals: of a difference by the number of questions, and of a mean in a table cell. Pure. */
import { count, points } from '../../evaluation/runs/number-text.js';
import type { BandPoint } from '../../evaluation/statistics/decide.js';
import type { Interval } from '../../evaluation/statistics/score-interval.js';
import { html, type Markup } from '../html.js';
import { type ChartSize, chartFrame } from './frame.js';
import { linearMap, linearScale } from './scale.js';

const ROOM: ChartSize = { width: 400, height: 230, left: 52, right: 12, top: 28, bottom: 44 };

/**
 * A sequential comparison to draw: the interval of its difference after each number of questions.
 */
interface ShownBand {
  /** Name and unit of the compared figure, such as "EM, points". */
  title: string;
  /** Class of its colour. */
  colour: string;
  band: readonly BandPoint[];
  /** Number of questions after which it was decided; undefined if it was not. */
  decidedAt?: number | undefined;
}

/**
 * Returns an SVG chart, as `Markup`, of a mean difference and its interval by the number of
 * questions, with a mark at the question after which it was decided. The band is given as
 * fractions and drawn in percentage points.
 */
export function bandChart({ title, colour, band, decidedAt }: ShownBand): Markup {
  const { width, height, left, right, top, bottom } = ROOM;
  const last = band.at(-1);
  const x = linearScale([0, last?.asked ?? 1], left, width - right);
  const ends = band.flatMap(({ low, high }) => [low, high]);
  const y = linearScale([0, ...ends], height - bottom, top);
  const line = (of: (point: BandPoint) => number, points = band) =>
    points.map((point) => `${x(point.asked)},${y(of(point))}`).join(' ');
  const around = `${line(({ high }) => high)} ${line(({ low }) => low, [...band].reverse())}`;
  const decided =
    decidedAt !== undefined &&
    html`<line class="decided" x1="${x(decidedAt)}" x2="${x(decidedAt)}" y1="${top}" y2="${height - bottom}"><title>decided after ${count(decidedAt)}</title></line>`;
  const state = last
    ? `${points(last.mean)} (${points(last.low)} to ${points(last.high)}) after ${count(last.asked)}`
    : 'no question yet';
  return chartFrame(
    ROOM,
    {
      x: { scale: x, title: 'questions', format: count },
      y: { scale: y, title, format: (value) => points(value).replace('.0', '') },
      label: `${title}, by questions asked: ${state}`,
    },
    html`<g class="${colour}"><polygon class="band" points="${around}"/><line class="nil" x1="${left}" x2="${width - right}" y1="${y(0)}" y2="${y(0)}"/><polyline class="line" points="${line(({ mean }) => mean)}"/>${decided}</g>`,
  );
}

const WIDTH = 132;
const HEIGHT = 14;
const EDGE = 5;

/** The range of values that the intervals in a column share. */
type Domain = Omit<Interval, 'mean'>;

/** Smallest width of the range, for equal values. */
const LEAST_SPAN = 0.02;

/**
 * Returns the smallest range `{ low, high }` that contains all intervals and is at least 0.02
 * wide.
 */
export function domainOf(intervals: readonly Interval[]): Domain {
  const values = intervals.flatMap(({ low, high, mean }) => [low, high, mean]);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const spare = Math.max(0, LEAST_SPAN - (high - low)) / 2;
  return { low: low - spare, high: high + spare };
}

/**
 * Returns a small SVG picture, as `Markup`, of a mean with its interval.
 *
 * @param domain Range of values of the whole width.
 * @param colour CSS class of the colour.
 */
export function whisker({ mean, low, high }: Interval, domain: Domain, colour: string): Markup {
  const x = linearMap(domain.low, domain.high, EDGE, WIDTH - EDGE);
  const middle = HEIGHT / 2;
  return html`<svg class="whisker ${colour}" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="xMinYMid" height="${HEIGHT}" aria-hidden="true">
<line class="rail" x1="0" x2="${WIDTH}" y1="${middle}" y2="${middle}"/>
<line class="range" x1="${x(low)}" x2="${x(high)}" y1="${middle}" y2="${middle}"/>
<circle class="mean" cx="${x(mean)}" cy="${middle}" r="3.5"/></svg>`;
}
