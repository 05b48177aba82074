/** Quality against cost: a point a run, with its interval. Pure. */
import type { Interval } from '../../evaluation/statistics/score-interval.js';
import { html, type Markup } from '../html.js';
import { type Axis, framed, type Room } from './frame.js';
import { linearScale, logScale } from './scale.js';

export interface CostPoint {
  name: string;
  /** The class of its colour. */
  colour: string;
  /** At least 0. */
  cost: number;
  quality: Interval;
}

const ROOM: Room = { width: 520, height: 330, left: 40, right: 20, top: 34, bottom: 46 };

/** From this ratio of costs on, the scale is logarithmic. */
const FAR_APART = 8;

/**
 * @param axes titles and number formats: cost to the right, quality upwards, in shares.
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
  const ordered = [...points].sort((a, b) => y(a.quality.mean) - y(b.quality.mean));
  const labels = apart(ordered.map(({ quality }) => y(quality.mean) - 8));
  const marks = ordered.map(({ name, colour, cost, quality }, i) => {
    const [px, py] = [x(cost), y(quality.mean)];
    const isRight = px > ROOM.width * 0.62;
    return html`<g class="${colour}"><line class="range" x1="${px}" x2="${px}" y1="${y(quality.low)}" y2="${y(quality.high)}"/>
<circle class="mean" cx="${px}" cy="${py}" r="5.5"/>
<text class="label" x="${isRight ? px - 11 : px + 11}" y="${labels[i] ?? py}" text-anchor="${isRight ? 'end' : 'start'}">${name}</text></g>`;
  });
  const label = `${axes.quality.title} against ${axes.cost.title}: ${points
    .map(
      (point) =>
        `${point.name} ${axes.quality.format(point.quality.mean)} at ${axes.cost.format(point.cost)}`,
    )
    .join('; ')}`;
  return framed(
    ROOM,
    { x: { ...axes.cost, scale: x }, y: { ...axes.quality, scale: y }, label },
    html`${marks}`,
  );
}

/** Moves lines of text down where they would cover each other. @param places ascending. */
function apart(places: readonly number[]): number[] {
  const moved: number[] = [];
  for (const place of places) moved.push(Math.max(place, (moved.at(-1) ?? -100) + 15));
  return moved;
}
