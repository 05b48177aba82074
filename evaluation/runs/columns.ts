/** Lays out tables and paragraphs as plain text of limited width. Pure. */

type Rows = readonly (readonly string[])[];

/**
 * Returns rows of texts as one text with a line for each row, in columns that are as wide as their
 * widest cell. The lines are joined by line feeds, without one at the end.
 */
export function table(rows: Rows): string {
  return lines(rows, widthsOf(rows));
}

/**
 * Returns rows of texts as one text, a table of limited width. If its columns do not fit, it
 * becomes several tables one below another, each with the first column. Cells that are too wide
 * are broken into lines.
 *
 * @param width Maximum number of characters of a line.
 */
export function fittedTable(rows: Rows, width: number): string {
  const natural = widthsOf(rows);
  const [head = 0, ...others] = natural;
  if (natural.reduce((total, one) => total + one + GAP, -GAP) <= width) return table(rows);
  const first = Math.min(head, Math.floor(width / 2));
  const room = width - first - GAP;
  const bodies = widthsOf(rows.slice(1)).slice(1);
  const widths = others.map((whole, column) =>
    Math.min(room, Math.max(bodies[column] ?? 0, Math.min(whole, NARROW))),
  );
  const blocks: number[][] = [];
  let left = 0;
  for (const [column, one] of widths.entries()) {
    const needed = one + GAP;
    if (blocks.length === 0 || needed > left) {
      blocks.push([]);
      left = width - first;
    }
    blocks.at(-1)?.push(column);
    left -= needed;
  }
  return blocks
    .map((columns) => {
      const block = rows.map(([title = '', ...cells]) => [
        title,
        ...columns.map((column) => cells[column] ?? ''),
      ]);
      const isFilled = ([, ...cells]: string[]) => cells.some((cell) => cell !== '');
      const room = [first, ...columns.map((column) => widths[column] ?? 0)];
      return lines(block.filter(isFilled), room);
    })
    .join('\n\n');
}

/** Number of characters between two columns. */
const GAP = 2;
/** Smallest width at which a heading is broken into lines. */
const NARROW = 14;

function widthsOf(rows: Rows): number[] {
  const columns = Math.max(0, ...rows.map((cells) => cells.length));
  return Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
  );
}

function lines(rows: Rows, widths: readonly number[]): string {
  return rows
    .flatMap((cells) => {
      const broken = cells.map((cell, column) => wrapped(cell, widths[column] ?? 0));
      const height = Math.max(1, ...broken.map((cell) => cell.length));
      return Array.from({ length: height }, (_, line) =>
        broken.map((cell, column) => (cell[line] ?? '').padEnd(widths[column] ?? 0)).join('  '),
      );
    })
    .map((line) => line.trimEnd())
    .join('\n');
}

/**
 * Returns a text as lines of at most `width` characters. It is broken between words, and within a
 * longer word after punctuation ("demo.base.nq-" "v1") or, if it has none, anywhere. Spaces at its
 * beginning are repeated on every line.
 */
export function wrapped(text: string, width: number): string[] {
  if (text.length <= width) return [text];
  const indent = /^ */.exec(text)?.[0] ?? '';
  const room = Math.max(1, width - indent.length);
  const broken: string[] = [];
  let line = '';
  for (const word of text.trim().split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > room) {
      broken.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
    while (line.length > room) {
      const end = joint(line, room);
      broken.push(line.slice(0, end));
      line = line.slice(end);
    }
  }
  if (line !== '') broken.push(line);
  return broken.map((one) => `${indent}${one}`);
}

/**
 * Returns the position after the last punctuation mark in the first `room` characters of a word;
 * `room` if there is none.
 */
function joint(word: string, room: number): number {
  const end = /^.*[./_:-]/.exec(word.slice(0, room))?.[0].length ?? room;
  // A very short first line would be harder to read than a break elsewhere.
  return end < room / 3 ? room : end;
}
