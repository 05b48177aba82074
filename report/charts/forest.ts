/** Draws a forest plot: differences with their intervals, one below the other. Pure. */
import { shortened } from '../../core/shortened.js';
import { points } from '../../evaluation/runs/number-text.js';
import type { Interval } from '../../evaluation/statistics/score-interval.js';
import { html, type Markup } from '../html.js';
import { linearScale } from './scale.js';

/** A line of a forest plot. */
interface ForestLine {
  name: string;
  /** Suffix that distinguishes lines with equal names, never shortened: " minus 3, bridge, EM". */
  than: string;
  /** CSS class of its colour. */
  colour: string;
  /** Mean difference of two scores with its interval, as fractions. */
  difference: Interval;
  /** The result in a few words. */
  finding: string;
  /** Whether the difference is shown, so that its point is filled. */
  isFound: boolean;
}

const WIDTH = 400;
const ROW = 34;
const TOP = 8;
const EDGE = 18;
/** Characters of a name that fit before the figures. */
const LONGEST = 36;
/** Fewest characters that are left of a name, including its number. */
const SHORTEST = 8;

/**
 * Returns an SVG forest plot, as `Markup`: differences with their intervals, one below the other.
 * They are given as fractions and drawn in percentage points.
 *
 * @param title Text below the axis.
 */
export function forestPlot(lines: readonly ForestLine[], title: string): Markup {
  const ends = lines.flatMap(({ difference: { low, high } }) => [low, high]);
  const x = linearScale([0, ...ends], EDGE, WIDTH - EDGE);
  const floor = TOP + lines.length * ROW;
  const rows = lines.map(({ name, than, colour, difference, finding, isFound }, i) => {
    const y = TOP + i * ROW;
    const at = y + 24;
    const figures = `${points(difference.mean)} (${points(difference.low)} to ${points(difference.high)})`;
    return html`<g class="${colour}"><title>${name}${than}: ${figures}, ${finding}</title>
<text class="name" x="0" y="${y + 13}">${shortened(name, Math.max(SHORTEST, LONGEST - than.length))}${than}</text><text class="${isFound ? 'found' : ''}" x="${WIDTH}" y="${y + 13}" text-anchor="end">${figures}</text>
<line class="range" x1="${x(difference.low)}" x2="${x(difference.high)}" y1="${at}" y2="${at}"/>
<circle class="mean${isFound ? '' : ' open'}" cx="${x(difference.mean)}" cy="${at}" r="4.5"/></g>`;
  });
  const label = lines.map(
    ({ name, than, difference, finding }) =>
      `${name}${than} ${points(difference.mean)}, ${finding}`,
  );
  return html`<svg class="chart forest" viewBox="0 0 ${WIDTH} ${floor + 44}" role="img" aria-label="${title}: ${label.join('; ')}">
<g class="grid">${x.ticks.map((tick) => html`<line class="${tick === 0 ? 'nil' : ''}" x1="${x(tick)}" x2="${x(tick)}" y1="${TOP}" y2="${floor}"/>`)}</g>
${rows}<g class="ticks">${x.ticks.map((tick) => html`<text x="${x(tick)}" y="${floor + 18}" text-anchor="middle">${points(tick).replace('.0', '')}</text>`)}
<text x="${WIDTH}" y="${floor + 38}" text-anchor="end">${title}</text></g></svg>`;
}
