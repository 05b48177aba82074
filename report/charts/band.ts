import { count, points } from '../../evaluation/runs/numbers.js';
import type { BandPoint } from '../../evaluation/statistics/decide.js';
import { html, type Markup } from '../html.js';
import { framed, type Room } from './frame.js';
import { linearScale } from './scale.js';

const ROOM: Room = { width: 400, height: 230, left: 52, right: 12, top: 28, bottom: 44 };

export interface ShownBand {
  /** Subject of the difference, which is in points. */
  title: string;
  /** Class of its colour. */
  colour: string;
  band: readonly BandPoint[];
  /** Number of questions after which it was decided; undefined if it was not. */
  decidedAt?: number | undefined;
}

/** Returns the mean as a line within its band, with a mark at the decision. */
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
  const said = last
    ? `${points(last.mean)} (${points(last.low)} to ${points(last.high)}) after ${count(last.asked)}`
    : 'no question yet';
  return framed(
    ROOM,
    {
      x: { scale: x, title: 'questions', format: count },
      y: { scale: y, title, format: (value) => points(value).replace('.0', '') },
      label: `${title}, by questions asked: ${said}`,
    },
    html`<g class="${colour}"><polygon class="band" points="${around}"/><line class="nil" x1="${left}" x2="${width - right}" y1="${y(0)}" y2="${y(0)}"/><polyline class="line" points="${line(({ mean }) => mean)}"/>${decided}</g>`,
  );
}
