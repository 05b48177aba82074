/** Draws the axes of a chart. Pure. */
import { html, type Markup } from '../html.js';
import type { Scale } from './scale.js';

/** The size of a chart and the margins that its axes take, in units of the SVG view box. */
export interface ChartSize {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/**
 * An axis of a chart: its scale, its title, and a function that formats the values at its ticks.
 */
export interface Axis {
  scale: Scale;
  title: string;
  format: (value: number) => string;
}

/**
 * Returns a chart as SVG, as `Markup`: the content with a grid, ticks on both axes, and a label
 * for screen readers.
 *
 * @param below Further height below the chart, for a legend.
 */
export function chartFrame(
  { width, height, left, right, top, bottom }: ChartSize,
  { x, y, label }: { x: Axis; y: Axis; label: string },
  content: Markup,
  below = 0,
): Markup {
  const floor = height - bottom;
  return html`<svg class="chart" viewBox="0 0 ${width} ${height + below}" role="img" aria-label="${label}">
<g class="grid">${y.scale.ticks.map(
    (tick) =>
      html`<line x1="${left}" x2="${width - right}" y1="${y.scale(tick)}" y2="${y.scale(tick)}"/>`,
  )}</g>
<g class="ticks">${y.scale.ticks.map(
    (tick) =>
      html`<text x="${left - 8}" y="${y.scale(tick) + 4}" text-anchor="end">${y.format(tick)}</text>`,
  )}${x.scale.ticks.map(
    (tick) =>
      html`<text x="${x.scale(tick)}" y="${floor + 18}" text-anchor="middle">${x.format(tick)}</text>`,
  )}</g>
<g class="titles"><text x="0" y="${top - 14}">${y.title}</text>
<text x="${width - right}" y="${height - 4}" text-anchor="end">${x.title}</text></g>
${content}</svg>`;
}
