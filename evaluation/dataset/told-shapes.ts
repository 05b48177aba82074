/** Recognises files that are not lists of records, and says how to convert each. Pure. */
import { isObject } from '../../core/is-object.js';
import { isShortened, writtenValue } from '../../files/records/python-value.js';

/** Python code that writes a table as one record a line. */
const LINES = `.to_json('NEW.jsonl', orient='records', lines=True)`;
const pandas = (table: string) => `python3 -c "import json, pandas as pd; ${table}${LINES}"`;
const loaded = (table: string) => `d = json.load(open('FILE')); pd.DataFrame(${table})`;

const BY_COLUMN = `pd.read_json('FILE', dtype=False)`;

/**
 * Returns what a value is if it is all or part of a table, and how to write the table as records;
 * undefined for anything else.
 *
 * @param key Key of the value, if the file is a map.
 */
export function toldShape(value: unknown, key?: string): string | undefined {
  if (Array.isArray(value)) {
    const named = `.set_axis(['question', 'answers'], axis=1)`;
    return `it is no object but a list of values without the names of their columns (pandas' orient="values"). Name them and write records: ${pandas(`pd.read_json('FILE', dtype=False)${named}`)}`;
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
    return `it is a page of rows, as the server of Hugging Face's data sets gives one. Write records: ${pandas(loaded(`[r['row'] for r in d['rows']]`))}`;
  }
  if (isByColumn(value)) {
    return `it is a whole table by its columns, each a list of all values. Write records: ${pandas(BY_COLUMN)}`;
  }
  if (Object.keys(value).some(isNoName)) {
    return `its columns are called as a question or an answer is: the table has no line of names, as DPR's and NQ-open's. --fields question=1,answers=2 names the columns by their numbers`;
  }
  return undefined;
}

/** Says which field of a record is a list that was cut; undefined if none is. */
export function toldShortened(value: object): string | undefined {
  const isCut = ([, held]: [string, unknown]) => typeof held === 'string' && isShortened(held);
  const [name] = Object.entries(value).find(isCut) ?? [];
  return name === undefined ? undefined : `${name}: ${SHORTENED}`;
}

export const SHORTENED =
  'a list that NumPy printed without its middle ("..."): write the table with lists in place of arrays (.tolist())';

/** Tells whether the keys count from 0, like the index of a table. */
function isNumbered(value: object): boolean {
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key, i) => key === String(i));
}

/**
 * Tells whether every field is a list or numbered, all of the same length, so that none is a
 * question.
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

/** Tells whether the name of a column is a question or answer, in a table without a header. */
function isNoName(name: string): boolean {
  return writtenValue(name) !== name || name.trim().split(/\s+/).length > 4;
}
