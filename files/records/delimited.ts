/** Streams the rows of a CSV or TSV file with a header. */
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { readUtf8, refuseDataset } from './bytes.js';
import type { Entry } from './entry.js';
import { writtenValue } from './python-value.js';

export type Delimiter = ',' | '\t' | ';';

/** What separates the columns of a header line; undefined for what is none. */
export function delimiterOf(header: string): Delimiter | undefined {
  if (header.includes('\t')) return '\t';
  const count = (mark: string) => header.split(mark).length - 1;
  const [commas, semicolons] = [count(','), count(';')];
  if (commas + semicolons > 0) return semicolons > commas ? ';' : ',';
  return /^\w+\s*$/.test(header) ? ',' : undefined;
}

/** No row is this long: a quote that is never closed must not fill the memory. */
const LONGEST = 64 * 1024 * 1024;

/**
 * The rows as objects by column, without empty cells; a list or an object that a cell holds, as JSON
 * or as Python prints it, is that. Quoting is RFC 4180's; in TSV a quotation mark inside a cell
 * stands for itself.
 *
 * @throws Failure BadInput for a row that does not fit the header, with its line.
 */
export async function* readDelimited(
  file: string,
  delimiter: Delimiter,
  signal?: AbortSignal,
): AsyncGenerator<Entry> {
  // The callback only keeps an error of the bytes from being thrown twice: the iteration reports it.
  const rows = pipeline(
    readUtf8(file),
    parse({
      delimiter,
      bom: true,
      info: true,
      columns: (names: string[]) => checkHeader(file, names),
      skip_empty_lines: true,
      relax_quotes: delimiter === '\t',
      max_record_size: LONGEST,
    }),
    () => {},
  );
  try {
    for await (const { record, info } of rows) {
      signal?.throwIfAborted();
      const cells = Object.entries(record as Record<string, string>)
        .filter(([, cell]) => cell.trim() !== '')
        .map(([column, cell]) => [column, writtenValue(cell)]);
      yield { value: Object.fromEntries(cells), place: `line ${info.lines}` };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw refuseDataset(
      file,
      `cannot be read as a table: line ${error.lines} does not fit the header, or a quotation mark is not closed (${error.code})`,
      error,
    );
  }
}

function checkHeader(file: string, names: readonly string[]): string[] {
  const trimmed = names.map((name) => name.trim());
  const twice = trimmed.find((name, i) => trimmed.indexOf(name) !== i);
  if (twice !== undefined) {
    throw refuseDataset(
      file,
      `has two columns of the same name in its header: the second is column ${trimmed.lastIndexOf(twice) + 1}`,
    );
  }
  return trimmed;
}
