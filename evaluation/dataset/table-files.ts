/** Recognises files that are tables instead of records, and writes how to convert them. Pure. */
import { isObject } from '../../core/is-object.js';
import { isShortened, parseCellValue } from '../../files/records/python-value.js';

/** Python code that writes a table as JSON Lines. */
const LINES = `.to_json('NEW.jsonl', orient='records', lines=True)`;
const pandas = (table: string) => `python3 -c "import json, pandas as pd; ${table}${LINES}"`;
const loaded = (table: string) => `d = json.load(open('FILE')); pd.DataFrame(${table})`;

const BY_COLUMN = `pd.read_json('FILE', dtype=False)`;

/**
 * Returns a text that says in which form of a table a value is, and how to convert the table to
 * records or, if it has no header, how to name its columns. Undefined for a value that is no table
 * or part of one.
 *
 * @param key Key of the value, if the file is a map.
 */
export function tableProblem(value: unknown, key?: string): string | undefined {
  if (Array.isArray(value)) {
    const named = `.set_axis(['question', 'answers'], axis=1)`;
    return `it is not an object but a list of values without column names (pandas' orient="values"). Name the columns and write records: ${pandas(`pd.read_json('FILE', dtype=False)${named}`)}`;
  }
  if (!isObject(value)) return undefined;
  if (key !== undefined && isNumbered(value)) {
    return `it is a column of a table, as pandas writes one without "orient". Write records: ${pandas(BY_COLUMN)}`;
  }
  const { columns, data, rows, schema, features } = value;
  if (Array.isArray(columns) && Array.isArray(data)) {
    return `it is a whole table: "columns" and "data" (pandas' orient="split"). Write records: ${pandas(loaded(`d['data'], columns=d['columns']`))}`;
  }
  if (Array.isArray(columns) && Array.isArray(rows)) {
    return `it is a whole table: "columns" and "rows". Write records: ${pandas(loaded(`d['rows'], columns=[c['name'] if isinstance(c, dict) else c for c in d['columns']]`))}`;
  }
  if (isObject(schema) && Array.isArray(data)) {
    return `it is a whole table: "schema" and "data" (pandas' orient="table"). Write records: ${pandas(loaded(`d['data']`))}`;
  }
  if (features !== undefined && Array.isArray(rows)) {
    return `it is a page of rows from the Hugging Face data set server. Write records: ${pandas(loaded(`[r['row'] for r in d['rows']]`))}`;
  }
  if (isByColumn(value)) {
    return `it is a whole table stored by columns, each a list of all values. Write records: ${pandas(BY_COLUMN)}`;
  }
  if (Object.keys(value).some(isNoName)) {
    return `its column names look like a question and answers, so the table probably has no header, like DPR's and NQ-open's: use --fields question=1,answers=2 to name the columns by number`;
  }
  return undefined;
}

/**
 * Returns the problem of the first field of a record whose list was shortened when NumPy printed
 * it, as "FIELD: ..."; undefined if there is none.
 */
export function shortenedField(value: object): string | undefined {
  const isCut = ([, held]: [string, unknown]) => typeof held === 'string' && isShortened(held);
  const [name] = Object.entries(value).find(isCut) ?? [];
  return name === undefined ? undefined : `${name}: ${SHORTENED}`;
}

/** The error message for a list that NumPy shortened when it was printed, with the remedy. */
export const SHORTENED =
  'a list that NumPy shortened with "...": write the table with lists instead of arrays (.tolist())';

/** Returns whether the keys count from 0, like the index of a table. */
function isNumbered(value: object): boolean {
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key, i) => key === String(i));
}

/**
 * Returns whether a value is a table stored by columns: every field is a list, or has keys from 0,
 * and all have the same length.
 */
function isByColumn(value: Record<string, unknown>): boolean {
  const columns = Object.values(value);
  const lengths = columns.map((held) => (Array.isArray(held) ? held.length : sizeOf(held)));
  const [first = 0] = lengths;
  return columns.length > 1 && first > 0 && lengths.every((one) => one === first);
}

function sizeOf(held: unknown): number {
  return isObject(held) && isNumbered(held) ? Object.keys(held).length : 0;
}

/** Returns whether a column name is a question or an answer, as in a table without a header. */
function isNoName(name: string): boolean {
  return parseCellValue(name) !== name || name.trim().split(/\s+/).length > 4;
}
