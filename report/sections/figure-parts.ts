/** Builds the parts of the figures' sections. Pure. */
import type { Row } from '../../evaluation/runs/effort-rows.js';
import type { ShownCell, ShownData } from '../data-sets.js';
import { html, type Markup } from '../html.js';

export function cellLabel({ number, label, colour }: ShownCell): Markup {
  return html`<span class="run ${colour}"><i class="dot"></i><span class="note">${number}</span> ${label}</span>`;
}

/** Returns a section with a heading to link to; undefined without content. */
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

/**
 * Returns a part of a data set's section, folded if `isOpen` is false; undefined without content.
 */
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

/** A column of a table: its title, and the content of its cells by row. */
export interface Column<R> {
  title: string;
  cell: (row: R) => string | Markup;
  isNumber?: boolean;
}

/**
 * Returns a table, which on a narrow screen becomes one block for each row. Columns without any
 * content are left out.
 *
 * @param name Name of the file that it is exported to.
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

/**
 * Returns a table with a row for each cell.
 *
 * @param name Name of the file that it is exported to, without the data set.
 */
export function cellTable(
  name: string,
  { id, cells }: Pick<ShownData, 'id' | 'cells'>,
  columns: readonly Column<ShownCell>[],
): Markup {
  return rowTable(`${name}-${id}`, { title: 'Cell', cell: cellLabel }, columns, cells);
}

/** Returns columns with the same texts that the terminal shows for runs. */
export function accountColumns(rows: readonly Row[]): Column<ShownCell>[] {
  return rows.map(([title, text]) => ({
    title: title.trim(),
    isNumber: true,
    cell: ({ figures }) => text(figures),
  }));
}

/** Returns a figure with its caption; undefined without content. */
export function picture(
  id: string,
  title: string,
  content: Markup | undefined,
  caption?: string,
): Markup | undefined {
  return (
    content &&
    html`<figure id="${id}" data-picture="${id}"><h3>${title}</h3>${content}${caption && html`<figcaption>${caption}</figcaption>`}</figure>`
  );
}

/** Returns a bar from 0 to a fraction of the full width. */
export function bar(share: number, part = ''): Markup {
  const width = Math.max(0, Math.min(1, share)) * 100;
  return html`<rect class="bar ${part}" width="${width.toFixed(2)}%" height="100%"/>`;
}
