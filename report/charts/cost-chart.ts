/** Draws quality by cost. Pure. */
import { shortened } from '../../core/shortened.js';
import type { Interval } from '../../evaluation/statistics/score-interval.js';
import { html, type Markup } from '../html.js';
import { type Axis, type ChartSize, chartFrame } from './frame.js';
import { linearScale, logScale } from './scale.js';

/**
 * One point in a chart of quality by cost: a run or a candidate, with its cost in the unit of the
 * axis, and its mean score as a fraction with an interval.
 */
export interface CostPoint {
  /** Number that is drawn beside the point. */
  number: number;
  name: string;
  /** CSS class of its colour. */
  colour: string;
  /** Cost in the unit of the axis, at least 0. */
  cost: number;
  /** Mean score as a fraction, with its interval. */
  quality: Interval;
  /** Whether no other point is both better and cheaper. A line joins these points. */
  isFrontier?: boolean;
}

const ROOM: ChartSize = { width: 400, height: 280, left: 40, right: 20, top: 34, bottom: 46 };

/** Ratio of costs from which the scale is logarithmic. */
const FAR_APART = 8;
const LINE = 18;
/** Maximum number of characters of a name that fit into the width of the chart. */
const LONGEST = 54;

/**
 * Returns an SVG chart of quality by cost, as `Markup`. Points are numbered, and their names are
 * listed below, so that many points stay readable. The cost axis is logarithmic if all costs are
 * above 0 and the largest is more than eight times the smallest.
 *
 * @param axes Titles and number formats of the axes; cost is horizontal, quality is vertical.
 */
export function costChart(
  points: readonly CostPoint[],
  axes: { cost: Omit<Axis, 'scale'>; quality: Omit<Axis, 'scale'> },
): Markup {
  const costs = points.map(({ cost }) => cost);
  const [left, right] = [ROOM.left + 12, ROOM.width - ROOM.right - 12];
  const isFar = Math.min(...costs) > 0 && Math.max(...costs) / Math.min(...costs) > FAR_APART;
  const x = isFar ? logScale(costs, left, right) : linearScale([0, ...costs], left, right);
  const ends = points.flatMap(({ quality: { low, high } }) => [low, high]);
  const y = linearScale(ends, ROOM.height - ROOM.bottom, ROOM.top);
  const taken: [x: number, y: number][] = [];
  const marks = points.map(({ number, name, colour, cost, quality }) => {
    const [px, py] = [x(cost), y(quality.mean)];
    const at = freePlace(px, py, taken);
    return html`<g class="${colour}"><title>${name}</title><line class="range" x1="${px}" x2="${px}" y1="${y(quality.low)}" y2="${y(quality.high)}"/>
<circle class="mean" cx="${px}" cy="${py}" r="4.5"/>
<text class="label" x="${at[0]}" y="${at[1]}" text-anchor="middle">${number}</text></g>`;
  });
  const frontier = points
    .filter(({ isFrontier }) => isFrontier)
    .toSorted((a, b) => a.cost - b.cost)
    .map(({ cost, quality }) => `${x(cost)},${y(quality.mean)}`);
  const label = `${axes.quality.title} against ${axes.cost.title}: ${points
    .map(
      (point) =>
        `${point.name} ${axes.quality.format(point.quality.mean)} at ${axes.cost.format(point.cost)}`,
    )
    .join('; ')}`;
  const names = points.map(
    ({ number, name, colour }, i) =>
      html`<text class="${colour}" x="0" y="${ROOM.height + 16 + i * LINE}"><title>${name}</title><tspan class="label">${number}</tspan> ${shortened(name, LONGEST)}</text>`,
  );
  return chartFrame(
    ROOM,
    { x: { ...axes.cost, scale: x }, y: { ...axes.quality, scale: y }, label },
    html`${frontier.length > 1 && html`<polyline class="frontier" points="${frontier.join(' ')}"/>`}${marks}<g class="key">${names}</g>`,
    16 + points.length * LINE,
  );
}

/** Offsets of a number from its point, the nearest first. */
const PLACES = [
  [13, -5],
  [-13, -5],
  [13, 13],
  [-13, 13],
  [22, 4],
  [-22, 4],
] as const;

/** Returns a place where a number covers no other one; the usual place if there is none. */
function freePlace(px: number, py: number, taken: [number, number][]): [number, number] {
  const around = PLACES.map(([dx, dy]): [number, number] => [px + dx, py + dy]);
  const isFree = ([ax, ay]: [number, number]) =>
    taken.every(([bx, by]) => Math.abs(ax - bx) > 15 || Math.abs(ay - by) > 11);
  const place = around.find(isFree) ?? [px + 13, py - 5];
  taken.push(place);
  return place;
}
