/** The parts of the figures' sections. Pure. */
import type { Row } from '../../evaluation/runs/account.js';
import type { ShownCell, ShownData } from '../data-sets.js';
import { html, type Markup } from '../html.js';

export function cellLabel({ number, label, colour }: ShownCell): Markup {
  return html`<span class="run ${colour}"><i class="dot"></i><span class="note">${number}</span> ${label}</span>`;
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

/** Returns a part of a data set: shown at once, or a click away where there are many cells. */
export function part(
  id: string,
  title: string,
  lead: string,
  content: Markup | undefined,
  isOpen = true,
): Markup | undefined {
  return (
    content &&
    html`<details class="part" id="${id}"${isOpen && html` open`}><summary><h3>${title}</h3></summary>
${lead !== '' && html`<p class="lead">${lead}</p>`}
${content}</details>`
  );
}

export interface Column<R> {
  title: string;
  cell: (row: R) => string | Markup;
  isNumber?: boolean;
}

/**
 * Returns a table with a row a cell, which on a narrow screen becomes a block a row. A column in
 * which no row has anything is left out.
 *
 * @param name of the file that it is exported to.
 */
export function rowTable<R>(
  name: string,
  head: Column<R>,
  columns: readonly Column<R>[],
  rows: readonly R[],
): Markup {
  const filled = columns.filter(({ cell }) => rows.some((row) => cell(row) !== ''));
  const heads = [head, ...filled].map(
    ({ title, isNumber }) =>
      html`<th scope="col"${isNumber && html` class="number"`}>${title}</th>`,
  );
  const lines = rows.map(
    (row) =>
      html`<tr><th scope="row">${head.cell(row)}</th>${filled.map(({ title, cell, isNumber }) => {
        const content = cell(row);
        return html`<td class="${isNumber ? 'number' : ''}${content === '' ? ' empty' : ''}" data-label="${title}">${content === '' ? '–' : content}</td>`;
      })}</tr>`,
  );
  return html`<table class="rows" data-export="${name}"><thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table>`;
}

/** Returns a table of what is said of runs in a terminal as well, a column a line. */
export function accountTable(
  name: string,
  { id, cells }: ShownData,
  rows: readonly Row[],
  first: readonly Column<ShownCell>[] = [],
): Markup {
  const columns = rows.map(
    ([title, text]): Column<ShownCell> => ({
      title: title.trim(),
      isNumber: true,
      cell: ({ figures }) => text(figures),
    }),
  );
  return rowTable(
    `${name}-${id}`,
    { title: 'Cell', cell: cellLabel },
    [...first, ...columns],
    cells,
  );
}

/** Returns a bar from 0 to a share of the room. */
export function bar(share: number, part = ''): Markup {
  const width = Math.max(0, Math.min(1, share)) * 100;
  return html`<rect class="bar ${part}" width="${width.toFixed(2)}%" height="100%"/>`;
}
