/** The parts of the figures' sections. Pure. */
import type { RunFigures } from '../../evaluation/runs/run-figures.js';
import { html, type Markup } from '../html.js';

/** The number of colours; further runs use them again. */
const COLOURS = 8;

/** Returns the class that gives a run its colour everywhere. */
export function colourOf(run: number): string {
  return `c${run % COLOURS}`;
}

/** Returns a run's name with its colour. */
export function runLabel({ manifest }: RunFigures, run: number): Markup {
  return html`<span class="run ${colourOf(run)}"><i class="dot"></i>${manifest.run}</span>`;
}

/** Returns a part with a heading to link to; nothing without content. */
export function figure(
  id: string,
  title: string,
  lead: string,
  content: Markup | undefined,
): Markup | undefined {
  return (
    content &&
    html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${lead !== '' && html`<p class="lead">${lead}</p>`}
${content}
</section>`
  );
}

/** Wide content scrolls by itself on a phone, also by keyboard. */
export function scroller(label: string, content: Markup): Markup {
  return html`<div class="scroller" role="region" aria-label="${label}" tabindex="0">${content}</div>`;
}

/** Returns a bar from 0 to a share of the room. */
export function bar(share: number, part = ''): Markup {
  const width = Math.max(0, Math.min(1, share)) * 100;
  return html`<rect class="bar ${part}" width="${width.toFixed(2)}%" height="100%"/>`;
}
