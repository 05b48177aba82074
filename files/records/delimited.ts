/** Reads the rows of a CSV or TSV file as a stream. */
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { FileEntry } from './entry.js';
import { parseCellValue } from './python-value.js';
import type { SourceFile } from './source-file.js';
import { type FileRow, tabRows } from './tab-rows.js';

type Delimiter = ',' | '\t' | ';';

/**
 * Options for reading the rows of a table: whether the first row of CSV or TSV is the header,
 * whether cells stay texts, and which columns of a Parquet file are read.
 */
export interface TableOptions {
  /**
   * Returns the names of the columns if the first row of CSV or TSV is a record, and undefined if
   * it is the header. @default always the header
   */
  headless?:
    | ((first: readonly string[], delimiter: Delimiter) => readonly string[] | undefined)
    | undefined;
  /**
   * Whether each cell is read as text, even an empty one or one that looks like a list. @default
   * false
   */
  asTexts?: boolean | undefined;
  /** Returns the names of the columns of a Parquet file to read. @default all */
  columns?: ((names: readonly string[]) => readonly string[]) | undefined;
}

/**
 * Returns the delimiter of a table, guessed from the first line of its file: a tab if there is
 * one, else the more frequent of comma and semicolon; for a single word, which is a table of one
 * column, a comma. Undefined for any other line.
 */
export function delimiterOf(header: string): Delimiter | undefined {
  if (header.includes('\t')) return '\t';
  const count = (mark: string) => header.split(mark).length - 1;
  const [commas, semicolons] = [count(','), count(';')];
  if (commas + semicolons > 0) return semicolons > commas ? ';' : ',';
  return /^\w+\s*$/.test(header) ? ',' : undefined;
}

/**
 * Returns a function for `TableOptions.headless`. For a table without a header it returns the
 * column names "1", "2" and so on: if every path begins with a column number, and the first row
 * does not have these numbers as names. Otherwise it returns undefined.
 *
 * @param paths Paths of a mapping of fields.
 */
export function numberedColumns(
  paths: readonly string[],
): (first: readonly string[]) => readonly string[] | undefined {
  const names = paths.map((path) => path.split(/[.[]/, 1)[0] ?? '');
  const areNumbers = names.length > 0 && names.every((name) => /^\d+$/.test(name));
  return (first) => {
    const isHeader = names.every((name) => first.includes(name));
    return areNumbers && !isHeader ? columnNumbers(first) : undefined;
  };
}

/** Returns the names "1", "2" and so on, one for each cell of a row. */
export function columnNumbers(first: readonly string[]): string[] {
  return first.map((_, i) => String(i + 1));
}

/**
 * Yields an entry for each row of a CSV or TSV file, with its cells as an object by column name
 * (`value`) and its last line (`place`, such as "line 3"). Unless `asTexts` is set, empty cells
 * are left out, and a cell that contains a list or an object, as JSON or as Python prints it, is
 * parsed. Quoting follows RFC 4180; in TSV a quotation mark inside a cell is an ordinary
 * character. Sets `source.format`.
 *
 * @throws Failure BadInput with the line, for a row that does not fit the header, a wrong
 * quotation mark, a row over 64 MB or bytes that are not UTF-8; and for a header with two equal
 * names.
 */
export async function* readDelimited(
  source: SourceFile,
  delimiter: Delimiter,
  { headless, asTexts = false }: TableOptions,
): AsyncGenerator<FileEntry> {
  source.format = delimiter === '\t' ? 'TSV' : 'CSV';
  let names: readonly string[] | undefined;
  for await (const row of delimiter === '\t' ? tabRows(source) : quotedRows(source, delimiter)) {
    const { cells, line, from } = row;
    if (!names) {
      const numbers = headless?.(cells, delimiter);
      if (numbers) source.format += ' without a header';
      names = numbers ?? checkHeader(source, cells);
      if (!numbers) continue;
    }
    if (cells.length !== names.length) {
      const lines = from === line ? `line ${line}` : `lines ${from} to ${line}, one row,`;
      const count = cells.length === 1 ? '1 cell' : `${cells.length} cells`;
      const has = `${lines} ${from === line ? 'has' : 'have'} ${count}`;
      const hint =
        delimiter === '\t' ? '' : '. Quote texts that contain a comma or a quotation mark';
      throw source.refuse(
        `cannot be read as a table: ${has}, but line 1 has ${names.length}${hint}`,
      );
    }
    yield { value: recordOf(names, cells, asTexts), place: `line ${line}` };
  }
}

function recordOf(names: readonly string[], cells: readonly string[], asTexts: boolean): object {
  const pairs = names.map((name, i) => [name, cells[i] ?? ''] as const);
  if (asTexts) return Object.fromEntries(pairs);
  const filled = pairs.filter(([, cell]) => cell.trim() !== '');
  return Object.fromEntries(filled.map(([name, cell]) => [name, parseCellValue(cell)]));
}

/** No row is this long: a quote that is never closed must not fill the memory. */
const LONGEST = 64 * 1024 * 1024;

async function* quotedRows(source: SourceFile, delimiter: Delimiter): AsyncGenerator<FileRow> {
  // Rows are parsed ahead of those that are yielded, which an error then takes with it.
  let parsed = 0;
  let yielded = 0;
  // The callback only keeps an error of the bytes from being thrown twice: the iteration reports it.
  const rows = pipeline(
    source.utf8(),
    parse({
      delimiter,
      bom: true,
      info: true,
      skip_empty_lines: true,
      relax_column_count: true,
      max_record_size: LONGEST,
      on_record(row, { lines }) {
        parsed = lines;
        return row;
      },
    }),
    () => {},
  );
  try {
    for await (const { record, info } of rows) {
      yield { cells: record as string[], line: info.lines, from: yielded + 1 };
      yielded = info.lines;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw source.refuse(
      `cannot be read as a table: the row that begins at line ${parsed + 1} ${faultIn(error)}`,
      error,
    );
  }
}

function faultIn({ code, lines }: CsvError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'opens a quotation mark that is never closed';
  if (code === 'CSV_MAX_RECORD_SIZE') {
    return 'is longer than 64 MB: a quotation mark is never closed, or the file is not a table';
  }
  return `has a quotation mark, at line ${lines}, that neither opens nor closes a cell (${code})`;
}

function checkHeader(source: SourceFile, names: readonly string[]): string[] {
  const trimmed = names.map((name) => name.trim());
  const twice = trimmed.find((name, i) => trimmed.indexOf(name) !== i);
  if (twice !== undefined) {
    throw source.refuse(
      `has two columns named "${twice}" in its header: the second is column ${trimmed.lastIndexOf(twice) + 1}`,
    );
  }
  return trimmed;
}
