/**
 * Streams the rows of a TSV file. Some programs quote cells as in CSV (DPR's Wikipedia, pandas),
 * others write quotation marks literally (MS MARCO), even at the beginning of a cell. So a row must
 * have as many cells as the first one: with quoting if that fits, otherwise literally.
 */
import type { SourceFile } from './source-file.js';

/** A row of a CSV or TSV file: its cells as text, and the lines of the file that it spans. */
export interface FileRow {
  cells: string[];
  /** Number of its last line, from 1. */
  line: number;
  /** Number of its first line, from 1. */
  from: number;
}

/**
 * Maximum number of characters of a row, so that a quotation mark that is never closed does not
 * fill the memory.
 */
const LONGEST = 64 * 1024 * 1024;

/** The cells of a line, and the lines so far of a quoted cell that has not ended. */
interface Scanned {
  cells: string[];
  rest?: string[] | undefined;
}

/** A row that may continue in the next line. */
interface OpenRow extends Scanned {
  from: number;
  /** Number of characters so far. */
  length: number;
  /** The cells of its only line, read literally; undefined if they do not fit the header. */
  plain?: string[] | undefined;
}

/**
 * Yields the rows of a TSV file, the header included, each with its cells and lines. Quotation
 * marks are removed from quoted cells.
 *
 * @throws Failure BadInput for invalid UTF-8, and for a quoted cell without an end.
 */
export async function* tabRows(source: SourceFile): AsyncGenerator<FileRow> {
  let width = 0;
  let open: OpenRow | undefined;
  for await (const line of source.lines({ keepsSpace: true })) {
    const { number } = line;
    const text = source.text(line);
    if (open?.plain && text.split('\t').length === width) {
      // This line is a row itself, so the one before does not go on in it.
      yield { cells: open.plain, line: open.from, from: open.from };
      open = undefined;
    }
    if (open) {
      const { from, length } = open;
      const row = scan(text, open);
      if (!row.rest) yield { cells: row.cells, line: number, from };
      open = row.rest && { ...row, from, length: length + text.length };
      if (length > LONGEST) throw source.refuse(unclosed(from));
      continue;
    }
    const row = hasQuoted(text) ? scan(text) : { cells: text.split('\t') };
    const plain = asItStands(text);
    if (width === 0) width = row.rest ? plain.length : row.cells.length;
    const fits = plain.length === width;
    const mayGoOn = row.rest && (!fits || row.cells.length === width - 1);
    if (mayGoOn) {
      open = { ...row, from: number, length: text.length, plain: fits ? plain : undefined };
    } else {
      const isPlain = fits && (row.rest !== undefined || row.cells.length !== width);
      yield { cells: isPlain ? plain : row.cells, line: number, from: number };
    }
  }
  if (open?.plain) yield { cells: open.plain, line: open.from, from: open.from };
  else if (open) throw source.refuse(unclosed(open.from));
}

function unclosed(from: number): string {
  return `cannot be read as a table: the row that begins at line ${from} opens a quotation mark that is never closed`;
}

function hasQuoted(text: string): boolean {
  return text.startsWith('"') || text.includes('\t"');
}

/** Returns the cells between the tabs of a line; a completely quoted one loses its quotes. */
function asItStands(text: string): string[] {
  return text.split('\t').map((cell) => {
    const isQuoted = cell.startsWith('"') && /^"(?:[^"]|"")*"$/.test(cell);
    return isQuoted ? unquoted(cell.slice(1, -1)) : cell;
  });
}

function unquoted(inside: string): string {
  return inside.replaceAll('""', '"');
}

/** Reads the cells of a line, the first of which may have begun in a line before. */
function scan(text: string, before?: Scanned): Scanned {
  const cells = before?.cells ?? [];
  let rest = before?.rest;
  for (let at = 0; ; ) {
    const isQuoted = rest !== undefined || text[at] === '"';
    const start = rest === undefined ? at + 1 : at;
    const mark = isQuoted ? markAfter(text, start, rest !== undefined) : undefined;
    if (isQuoted && mark === undefined) {
      return { cells, rest: [...(rest ?? []), text.slice(start)] };
    }
    let end = mark === undefined ? -1 : mark + 1;
    if (mark !== undefined && isEnd(text, end)) {
      cells.push(unquoted([...(rest ?? []), text.slice(start, mark)].join('\n')));
      rest = undefined;
    } else {
      const tab = text.indexOf('\t', at);
      end = tab === -1 ? text.length : tab;
      cells.push(text.slice(at, end));
    }
    if (end >= text.length) return { cells };
    at = end + 1;
  }
}

/**
 * Returns the position of the first quotation mark that is not doubled. For a cell that began in an
 * earlier line, it must also end the cell.
 */
function markAfter(text: string, start: number, goesOn: boolean): number | undefined {
  let at = text.indexOf('"', start);
  while (at !== -1) {
    const isDoubled = text[at + 1] === '"';
    if (!isDoubled && (!goesOn || isEnd(text, at + 1))) return at;
    at = text.indexOf('"', at + (isDoubled ? 2 : 1));
  }
  return undefined;
}

function isEnd(text: string, at: number): boolean {
  return at === text.length || text[at] === '\t';
}
