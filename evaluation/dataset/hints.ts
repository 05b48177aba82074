/**
 * Suggests flags for records that fit no data set. Each is tried on the records before it is
 * suggested. The usual names of fields are derived from the declared data sets. Pure.
 */
import type { z } from 'zod';
import { isObject } from '../../core/is-object.js';
import { keyToPath, valuesAt } from '../../files/records/field-path.js';
import { parseCellValue } from '../../files/records/python-value.js';
import type { Dataset } from './define-dataset.js';
import { mappedBy } from './map-fields.js';
import { type ReadRecord, type RecordContext, readRecord } from './read-record.js';
import { fieldsRead, unique } from './record-fields.js';

/** A part of a question that a field of a record can contain. */
type Role = 'answers' | 'id' | 'passages' | 'question';

/**
 * Usual names of the fields of each role in the declared data sets: paths in lower case, without
 * `[]`.
 */
type Names = Readonly<Record<Role, readonly string[]>>;

/**
 * Returns a mapping for the flag `--fields` that reads all of the records with their passages, such
 * as "question=query,answers=gold[]"; undefined if none is found.
 */
export function mappingFor(
  values: readonly object[],
  datasets: readonly Dataset[],
  context: RecordContext,
): string | undefined {
  const [first] = values;
  if (!first) return undefined;
  const names = namesIn(datasets);
  const paths = pathsIn(first);
  const passages = passagesIn(first, names);
  // The text of a passage is neither the question nor an answer.
  const others = paths.filter((path) => !passages.includes(path));
  const found = (role: Role) => pathsOf(role, others, names).slice(0, MOST_TRIED);
  const answersOf = [...found('answers'), ...objectsOf(first, names)];
  const [id] = found('id').filter((path) => !path.includes('[]'));
  for (const question of found('question')) {
    for (const answers of answersOf) {
      for (const own of passages.length > 0 ? passages : [undefined]) {
        for (const key of id === undefined ? [undefined] : [id, undefined]) {
          const fields = {
            question,
            answers,
            ...(key !== undefined && key !== question && { id: key }),
            ...(own !== undefined && { passages: own }),
          };
          if (question !== answers && values.every((value) => isRead(fields, value, context))) {
            return Object.entries(fields)
              .map(([field, path]) => `${field}=${path}`)
              .join(',');
          }
        }
      }
    }
  }
  return undefined;
}

/**
 * Returns whether a record has a field with a usual name of a question and one with a usual name
 * of its answers.
 */
export function hasUsualFields(value: object, datasets: readonly Dataset[]): boolean {
  const names = namesIn(datasets);
  const paths = pathsIn(value);
  return (['question', 'answers'] as const).every((role) => pathsOf(role, paths, names).length > 0);
}

/**
 * Returns the names of those fields of a record whose value is a text that is a whole list or
 * object, as JSON or Python writes it.
 */
export function fieldsWithListText(value: object): string[] {
  const isText = ([, held]: [string, unknown]) =>
    typeof held === 'string' && parseCellValue(held) !== held;
  return Object.entries(value)
    .filter(isText)
    .map(([key]) => key);
}

/** Maximum number of paths that are tried for the question and for the answers. */
const MOST_TRIED = 6;

/** Returns the paths to the values of objects that have a usual name of answers: `answers.*`. */
function objectsOf(value: object, { answers }: Names): string[] {
  const isCalled = ([key, held]: [string, unknown]) =>
    isObject(held) && answers.includes(plainPath(key));
  return Object.entries(value)
    .filter(isCalled)
    .map(([key]) => `${keyToPath(key)}.*`);
}

/**
 * Returns whether a mapping reads a record, finds all its passages, and takes no list for a single
 * answer.
 */
function isRead(fields: Record<string, string>, value: object, context: RecordContext): boolean {
  const read = readRecord(mappedBy('fields', fields), value, context);
  if ('problems' in read) return false;
  return read.questions.every(
    ({ answers, passages }) =>
      answers.every((answer) => parseCellValue(answer) === answer) &&
      (passages?.length ?? 0) >= itemsAt(value, fields.passages),
  );
}

/** Returns the number of passages in the field that a mapping takes them from. */
function itemsAt(value: object, path = ''): number {
  return valuesAt(value, path.split('[]')[0]).flat().length;
}

/**
 * Returns whether a record has fields which seem to contain passages or answers, but which a data
 * set does not read as such.
 *
 * @param value The record.
 * @param read The result of `readRecord` for it, whose paths `kept` and `unused` are used.
 */
export function missesNeeded(
  dataset: Dataset,
  value: object,
  { kept, unused }: ReadRecord,
  datasets: readonly Dataset[],
): boolean {
  const names = namesIn(datasets);
  const read = fieldsRead(dataset.schema);
  const left = unique([...kept, ...unused].map((path) => path.split(/[.[]/)[0] ?? ''));
  return left.some(
    (key) =>
      !read.includes(key) &&
      (names.answers.includes(plainPath(key)) ||
        holdsPassages(key, Reflect.get(value, key), names)),
  );
}

/** Number of characters from which a text counts as a passage instead of a name. */
const LONG = 80;

function holdsPassages(key: string, value: unknown, { passages }: Names): boolean {
  const items = [value].flat();
  const isCalled = passages.some((path) => path.split('.')[0] === plainPath(key));
  if (isCalled && typeof value === 'string') return value.length >= LONG;
  if (isCalled) return items.some((item) => typeof item === 'string' || typeof item === 'object');
  return Array.isArray(value) && items.some((item) => longest(item).length >= LONG);
}

/** Returns the longest text in a value, at any depth. */
function longest(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value)
    .map(longest)
    .reduce((best, one) => (one.length > best.length ? one : best), '');
}

/**
 * Returns the paths at which passages may be: a field, or a text in each of its items, longest text
 * first.
 */
function passagesIn(value: object, names: Names): string[] {
  return Object.entries(value).flatMap(([key, held]) => {
    if (!holdsPassages(key, held, names)) return [];
    const path = keyToPath(key);
    const [item] = [held].flat();
    if (!isObject(item)) return [path];
    const texts = Object.entries(item).filter(([, text]) => typeof text === 'string');
    const sorted = texts.toSorted(([, a], [, b]) => String(b).length - String(a).length);
    return [path, ...sorted.map(([name]) => `${path}[].${keyToPath(name)}`)];
  });
}

/** Returns the paths of a record that have a name of a role, the most usual name first. */
function pathsOf(role: Role, paths: readonly string[], names: Names): string[] {
  const plain = paths.map((path) => ({ path, plain: plainPath(path) }));
  return unique(
    names[role].flatMap((name) =>
      plain
        .filter((one) => one.plain === name || one.plain.endsWith(`.${name}`))
        .toSorted((a, b) => a.plain.length - b.plain.length)
        .map(({ path }) => path),
    ),
  );
}

/** Returns a path in lower case, without brackets, quotation marks, spaces, `_` and `-`. */
function plainPath(path: string): string {
  return path.replaceAll(/\[-?\d*\]|["'\s_-]/g, '').toLowerCase();
}

let known: { of: readonly Dataset[]; names: Names } | undefined;

/**
 * Returns the usual names of the fields of each role. For each data set, a record is generated
 * whose texts are their own paths, and read: the resulting question shows which path each part was
 * taken from. A name belongs to a role if most fields of that name do, or a third of at least
 * three. The most usual name comes first, and names that a data set ignores come last: an `answer`
 * may be a model's output.
 */
function namesIn(datasets: readonly Dataset[]): Names {
  if (known?.of === datasets) return known.names;
  const counts = { question: new Map(), answers: new Map(), passages: new Map(), id: new Map() };
  const all = new Map<string, number>();
  const unread = new Set<string>();
  for (const dataset of datasets) {
    const record = madeUp(dataset.schema, '');
    count(all, keysIn(record));
    const fields = fieldsRead(dataset.schema);
    for (const key of Object.keys(dataset.schema.shape)) {
      if (!fields.includes(key)) unread.add(plainPath(key));
    }
    const read = readRecord(dataset, record, { scorable: false, loose: true });
    if ('problems' in read) continue;
    for (const { id, question, answers, longAnswers, passages = [], label } of read.questions) {
      count(counts.question, namesOf([question]));
      const gold = [...answers, ...(longAnswers ?? []), ...(label ? ['label'] : [])];
      count(counts.answers, namesOf(gold));
      count(counts.passages, namesOf(passages.map(({ text }) => text)));
      count(counts.id, namesOf([id]));
    }
  }
  const sorted = (of: Map<string, number>) =>
    [...of.keys()]
      .filter((name) => isOfRole(of.get(name) ?? 0, all.get(name), name))
      .toSorted(
        (a, b) =>
          Number(unread.has(a)) - Number(unread.has(b)) || (of.get(b) ?? 0) - (of.get(a) ?? 0),
      );
  const names = {
    question: sorted(counts.question),
    answers: sorted(counts.answers),
    passages: sorted(counts.passages),
    id: sorted(counts.id),
  };
  known = { of: datasets, names };
  return names;
}

/**
 * Returns whether a name belongs to a role.
 *
 * @param times Number of data sets in which it has the role.
 * @param all Number of data sets with such a key; undefined if it is no key. A path of several keys
 * then belongs to the role, a single word does not.
 */
function isOfRole(times: number, all: number | undefined, name: string): boolean {
  if (all === undefined) return name.includes('.');
  return times > all / 2 || (times >= 3 && times >= all / 3);
}

function count(counts: Map<string, number>, names: readonly string[]): void {
  for (const name of unique(names)) counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** Returns the names in generated texts: each whole path, and its last key. */
function namesOf(texts: readonly string[]): string[] {
  return texts
    .filter((text) => /^[\w .[\]]+$/.test(text))
    .flatMap((text) => {
      const whole = plainPath(text);
      return [whole, whole.split('.').at(-1) ?? whole];
    });
}

/** Returns all keys of a value, at any depth. */
function keysIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, held]) => [plainPath(key), ...keysIn(held)]);
}

/** Returns a value that fits a schema, whose texts are their own paths. */
function madeUp(schema: z.core.$ZodType, at: string): unknown {
  const { def } = schema._zod as { def: z.core.$ZodTypes['_zod']['def'] };
  switch (def.type) {
    case 'string':
      return at;
    case 'number':
      return 0;
    case 'boolean':
      return true;
    case 'array':
      return [madeUp(def.element, `${at}[]`)];
    case 'tuple':
      return def.items.map((item) => madeUp(item, `${at}[]`));
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape).map(([key, field]) => [
          key,
          madeUp(field, at === '' ? key : `${at}.${key}`),
        ]),
      );
    case 'record':
      return { [at]: madeUp(def.valueType, at) };
    case 'union':
      return def.options[0] && madeUp(def.options[0], at);
    case 'enum':
      return Object.values(def.entries)[0];
    case 'literal':
      return def.values[0];
    case 'pipe':
      return madeUp(isTransform(def.in) ? def.out : def.in, at);
    case 'optional':
    case 'nullable':
    case 'default':
      return madeUp(def.innerType, at);
    default:
      return undefined;
  }
}

function isTransform({ _zod }: z.core.$ZodType): boolean {
  return _zod.def.type === 'transform';
}

/** Maximum number of paths of a record that a message lists. */
const SHOWN = 24;
const LONGEST_PATH = 4;

/**
 * Returns the paths to the values of a record, in the notation of mappings: `messages[].content`.
 * At most the first 24 are returned; only the first three items of a list are read, and a path has
 * at most five keys.
 */
export function pathsIn(value: unknown, at = '', depth = 0): string[] {
  if (Array.isArray(value)) {
    const inner = value.slice(0, 3).flatMap((item) => pathsIn(item, `${at}[]`, depth));
    return unique(inner.length > 0 ? inner : [at]);
  }
  if (!isObject(value) || depth > LONGEST_PATH) return [at];
  const paths = Object.entries(value).flatMap(([name, held]) => {
    const key = keyToPath(name);
    return pathsIn(held, at === '' ? key : `${at}.${key}`, depth + 1);
  });
  return unique(paths).slice(0, SHOWN);
}
