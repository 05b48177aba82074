/** Builds the parts of the figures' sections. Pure. */
import type { Row } from '../../evaluation/runs/effort-rows.js';
import type { ShownCell, ShownData } from '../data-sets.js';
import { html, type Markup } from '../html.js';

/**
 * Returns, as `Markup`, the label of a cell of the report (a run or an experiment), with its
 * number and the dot of its colour.
 */
export function cellLabel({ number, label, colour }: ShownCell): Markup {
  return html`<span class="run ${colour}"><i class="dot"></i><span class="note">${number}</span> ${label}</span>`;
}

/** Returns, as `Markup`, a section with a heading to link to; undefined if `content` is. */
export function titledSection(
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
 * Returns, as `Markup`, a part of a data set's section, folded if `isOpen` is false; undefined if
 * `content` is.
 */
export function foldablePart(
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

/**
 * A column of a table: its title, and a function that returns the content of its cell in a row, as
 * text or markup.
 */
export interface Column<R> {
  title: string;
  cell: (row: R) => string | Markup;
  isNumber?: boolean;
}

/**
 * Returns an HTML table, as `Markup`. On a narrow screen it becomes one block for each row.
 * Columns without any content are left out.
 *
 * @param name Name, without ending, of the file to which a reader exports the table.
 * @param head Column of the row headings.
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
 * Returns an HTML table, as `Markup`, with one row for each cell of a data set, that is, for each
 * run or experiment.
 *
 * @param name Beginning of the name of the file to which a reader exports the table; the id of the
 * data set is appended.
 */
export function cellTable(
  name: string,
  { id, cells }: Pick<ShownData, 'id' | 'cells'>,
  columns: readonly Column<ShownCell>[],
): Markup {
  return rowTable(`${name}-${id}`, { title: 'Cell', cell: cellLabel }, columns, cells);
}

/**
 * Returns the columns of a table with one row for each cell, made from the rows of a terminal
 * table with one column for each cell. Titles and texts are the same.
 */
export function columnsFromRows(rows: readonly Row[]): Column<ShownCell>[] {
  return rows.map(([title, text]) => ({
    title: title.trim(),
    isNumber: true,
    cell: ({ figures }) => text(figures),
  }));
}

/**
 * Returns, as `Markup`, a figure with its heading and, if given, a caption; undefined if `content`
 * is.
 */
export function captionedFigure(
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

/**
 * Returns a bar as an SVG `rect` element, in `Markup`.
 *
 * @param share Length as a fraction of the full width, limited to 0 to 1.
 * @param part Further CSS class.
 */
export function bar(share: number, part = ''): Markup {
  const width = Math.max(0, Math.min(1, share)) * 100;
  return html`<rect class="bar ${part}" width="${width.toFixed(2)}%" height="100%"/>`;
}
