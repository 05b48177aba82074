/** A noise sweep: a line a method over the share of noise, with its intervals. Pure. */

import { percent, tickPercent } from '../../evaluation/runs/numbers.js';
import type { Interval } from '../../evaluation/statistics/score-interval.js';
import { html, type Markup } from '../html.js';
import { framed, type Room } from './frame.js';
import { between, linearScale } from './scale.js';

export interface SweepLine {
  name: string;
  colour: string;
  /** By ascending share of noise; a band only where there are intervals. */
  points: { ratio: number; value: number; interval?: Interval }[];
}

const ROOM: Room = { width: 420, height: 280, left: 40, right: 16, top: 34, bottom: 46 };
const RATIOS = [0, 0.2, 0.4, 0.6, 0.8, 1];

/** @param title what is shown upwards, in shares. */
export function sweepChart(title: string, lines: readonly SweepLine[]): Markup {
  const all = lines.flatMap(({ points }) => points);
  const ends = all.flatMap(({ value, interval }) => [
    value,
    interval?.low ?? value,
    interval?.high ?? value,
  ]);
  const y = linearScale([0, ...ends], ROOM.height - ROOM.bottom, ROOM.top);
  const x = Object.assign(between(0, 1, ROOM.left + 8, ROOM.width - ROOM.right - 8), {
    ticks: RATIOS,
  });
  const marks = lines.map(({ colour, points }) => {
    const line = points.map(({ ratio, value }) => `${x(ratio)},${y(value)}`).join(' ');
    const band = [
      ...points.map(({ ratio, value, interval }) => `${x(ratio)},${y(interval?.high ?? value)}`),
      ...points
        .toReversed()
        .map(({ ratio, value, interval }) => `${x(ratio)},${y(interval?.low ?? value)}`),
    ].join(' ');
    return html`<g class="${colour}"><polygon class="band" points="${band}"/><polyline class="line" points="${line}"/>
${points.map(({ ratio, value }) => html`<circle class="mean" cx="${x(ratio)}" cy="${y(value)}" r="3.5"/>`)}</g>`;
  });
  const label = `${title} by share of noise: ${lines
    .map(
      ({ name, points }) =>
        `${name} ${points.map(({ ratio, value }) => `${percent(value)} at ${100 * ratio} %`).join(', ')}`,
    )
    .join('; ')}`;
  return framed(
    ROOM,
    {
      x: {
        scale: x,
        title: 'share of noise, %',
        format: (ratio) => String(Math.round(100 * ratio)),
      },
      y: { scale: y, title, format: tickPercent },
      label,
    },
    html`${marks}`,
  );
}
