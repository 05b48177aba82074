/** Determines the data set of a file: the declared one that every record fits. Pure. */
import { canonicalJson } from '../../core/canonical-json.js';
import { ANSWER_KINDS } from '../../core/dataset-record.js';
import { Failure } from '../../core/failure.js';
import { isObject } from '../../core/is-object.js';
import { NAME_PATTERN, NAME_RULE } from '../../core/name.js';
import { describeKind } from '../../core/options/checked.js';
import { suggestion } from '../../core/options/nearest.js';
import { BadRecord, type Dataset } from './define-dataset.js';
import { fieldsWithListText, hasUsualFields, mappingFor, missesNeeded, pathsIn } from './hints.js';
import { mappedBy } from './map-fields.js';
import {
  type Misfit,
  type ReadRecord,
  type RecordContext,
  type RecordOptions,
  readRecord,
} from './read-record.js';
import { DATASETS } from './readers/index.js';
import { fieldsRead } from './record-fields.js';
import { shortenedField, tableProblem } from './table-files.js';

/**
 * The user's choice of how a file is read: as the data set `as`, or by the mapping `fields`. If
 * neither is given, the data set is determined from the records.
 */
export interface ReadAs {
  /** Name of a data set. Fields that its schema does not have are then ignored. */
  as?: string | undefined;
  /** Path in the record of each field of a question, such as `{ question: 'inputs.question' }`. */
  fields?: Readonly<Record<string, string>> | undefined;
  /** Custom data sets, which are considered after the built-in ones. */
  datasets?: readonly Dataset[] | undefined;
}

/** The questions read from a record, with the name of the data set that the record fits. */
export interface ChosenRecord extends ReadRecord {
  /** Name of the data set; for a mapping, its fields and paths. */
  dataset: string;
}

/**
 * Returns the built-in data sets, and the custom ones after them.
 *
 * @throws Failure BadInput if a custom name is invalid or taken.
 */
function datasetsWith(own: readonly Dataset[] = []): Dataset[] {
  const all = [...DATASETS];
  for (const dataset of own) {
    const { name } = dataset;
    if (typeof name !== 'string' || !NAME_PATTERN.test(name)) {
      throw new Failure('BadInput', `The name of a data set ${NAME_RULE}, not "${name}".`);
    }
    if (all.some((one) => one.name === name)) {
      throw new Failure('BadInput', `There is already a data set "${name}"; rename yours.`);
    }
    all.push(dataset);
  }
  return all;
}

/**
 * The error for a record that fits several data sets which read it differently. Its message names
 * the flags to choose one.
 */
export class AmbiguousRecord extends BadRecord {}

/**
 * A function that returns the questions of the next record of a file. @throws BadRecord for a
 * record that is not a question.
 */
interface DatasetReader {
  (value: unknown, key?: string): ChosenRecord;
  /** Returns why some records cannot be read, with flags that would read all of them. */
  refusal(values: readonly unknown[], key?: string): string;
}

/**
 * Returns a function that is called with the records of a file one after another, and returns the
 * questions of each with the name of the data set. It throws BadRecord for a record that cannot be
 * read. All records must fit one data set with all their fields, except those that `as` ignores.
 * If several fit, the first one is used, provided that all give the same questions.
 *
 * @throws Failure BadInput for an unknown data set or answer kind, for an invalid mapping, if a
 * custom data set's name is invalid or taken, and if `as` and `fields` are both given.
 */
export function datasetReader({
  as,
  fields,
  datasets: own,
  ...options
}: ReadAs & RecordOptions = {}): DatasetReader {
  const { kind } = options;
  if (kind !== undefined && !ANSWER_KINDS.includes(kind)) {
    throw new Failure(
      'BadInput',
      `kind: there is no kind "${kind}"${suggestion(kind, ANSWER_KINDS)}`,
    );
  }
  const all = datasetsWith(own);
  const given = namedIn(all, { as, fields });
  const known = given ? [given] : all.filter(({ mapped }) => !mapped);
  let left = known;

  const contextOf = (key?: string) => ({ ...options, key, loose: as !== undefined });

  function read(value: unknown, key?: string): ChosenRecord {
    if (isDeeper(value, DEEPEST)) throw new BadRecord(TOO_DEEP);
    const context = contextOf(key);
    const fitting = left.flatMap((dataset) => {
      const read = readRecord(dataset, value, context);
      return 'questions' in read ? [{ dataset, read }] : [];
    });
    const [first, ...others] = fitting;
    if (!first) throw new BadRecord(refusalOf([value], key, 'the records before it'));
    const reading = others.length > 0 ? asked(first.read) : '';
    const other = others.find(({ read }) => asked(read) !== reading);
    if (other) {
      const [one, another] = [first.dataset.name, other.dataset.name];
      throw new AmbiguousRecord(
        `it fits ${one} and ${another}, which read it differently: use --as ${one} or --as ${another}`,
      );
    }
    left = fitting.map(({ dataset }) => dataset);
    return {
      ...first.read,
      dataset: first.dataset.mapped ? first.dataset.source : first.dataset.name,
    };
  }

  function refusalOf(
    values: readonly unknown[],
    key?: string,
    others = 'the other records',
  ): string {
    const context = contextOf(key);
    if (values.some((value) => isDeeper(value, DEEPEST))) return TOO_DEEP;
    if (!given) {
      return refusal(values, { all: known, left, isChosen: left !== known, context, others });
    }
    const [value] = values;
    // A path of a mapping may name none of the fields that there are.
    const fields = given.mapped ? `. Its fields are ${pathsIn(value).join(', ')}` : '';
    return tableProblem(value, key) ?? problemsOf(readRecord(given, value, context)) + fields;
  }

  return Object.assign(read, { refusal: refusalOf });
}

/** Returns a record's questions without the extra fields, for comparison. */
function asked({ questions }: ReadRecord): string {
  return canonicalJson(questions.map(({ fields: _, ...question }) => question));
}

/** Greatest nesting depth of a record, which is far below the depth at which recursion fails. */
const DEEPEST = 500;
const TOO_DEEP = `it has more than ${DEEPEST} levels of lists and objects`;

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((held) => isDeeper(held, levels - 1));
}

function namedIn(all: readonly Dataset[], { as, fields }: ReadAs): Dataset | undefined {
  if (as !== undefined && fields !== undefined) {
    throw new Failure('BadInput', 'as (--as): cannot be combined with fields (--fields).');
  }
  if (fields) return mappedBy('fields', fields);
  if (as === undefined) return undefined;
  const found = all.find(({ name }) => name === as);
  if (found) return found;
  const names = all.map(({ name }) => name);
  throw new Failure('BadInput', `as (--as): there is no data set "${as}"${suggestion(as, names)}`);
}

function problemsOf(read: ReadRecord | Misfit | undefined): string {
  return read && 'problems' in read ? read.problems.join('; ') : '';
}

/** The state of the reader of one file, from which a refusal is written. */
interface Choosing {
  all: readonly Dataset[];
  /** Data sets that all records so far fit. */
  left: readonly Dataset[];
  /** Whether a record has been read. */
  isChosen: boolean;
  context: RecordContext;
  /** Words for the records that were read, such as "the records before it". */
  others: string;
}

/**
 * Returns a text with the nearest data set, the fields of the record that do not fit it, all its
 * fields, and the flags that would help.
 */
function refusal(values: readonly unknown[], choosing: Choosing): string {
  const { all, left, isChosen, context, others } = choosing;
  const [value] = values;
  const shape = tableProblem(value, context.key);
  if (shape !== undefined) return shape;
  if (!isObject(value)) return `it is ${describeKind(value)}, not an object`;
  const cut = shortenedField(value);
  if (cut !== undefined) return cut;
  const nearest = nearestOf(left, value, context);
  const read = readRecord(nearest, value, context);
  const problems = problemsOf(read);
  const paths = pathsIn(value);
  const fields = `Its fields are ${paths.join(', ')}`;
  if ('problems' in read && read.isOfIt) return isChosen ? problems : `${problems}. ${fields}`;
  const named = isChosen
    ? `it does not match ${nearest.name}, as ${others} do`
    : `it matches no known data set. The closest is ${nearest.name} (${fieldsRead(nearest.schema).join(', ')})`;
  const objects = values.filter(isObject);
  const as = looselyRead(nearest, objects, choosing);
  const mapping = isChosen ? undefined : mappingFor(objects, all, context);
  const flags = [
    ...(as === undefined ? [] : [as]),
    ...(mapping === undefined
      ? []
      : [`map its fields: --fields ${typed(mapping)} (this was tried and works)`]),
  ].join(', or ');
  const advice =
    flags === '' ? unnamed(value, all) : `. ${flags.charAt(0).toUpperCase()}${flags.slice(1)}`;
  return `${named}: ${problems}. ${fields}${advice}`;
}

/**
 * Returns the flag that names a data set, if it reads the records without ignoring passages or
 * answers; otherwise undefined.
 */
function looselyRead(
  dataset: Dataset,
  values: readonly object[],
  { all, context }: Choosing,
): string | undefined {
  const reads = values.map((value) => readRecord(dataset, value, { ...context, loose: true }));
  const isRead = reads.every(
    (read, i) => 'questions' in read && !missesNeeded(dataset, values[i] ?? {}, read, all),
  );
  const [first] = reads;
  if (!isRead || !first || !('questions' in first)) return undefined;
  return `use --as ${dataset.name}, ${leftText(first)}`;
}

/** Returns advice for a record whose fields have unusual names. */
function unnamed(value: object, all: readonly Dataset[]): string {
  const [name] = fieldsWithListText(value);
  if (name !== undefined) {
    return `. ${name} is a list written as text: write the list itself (json.loads or ast.literal_eval in Python)`;
  }
  if (hasUsualFields(value, all)) return '';
  return '. Name its question and its answers with --fields; see docs/datasets.md, "Your own file"';
}

/** Returns a mapping, quoted for a shell if necessary. */
function typed(mapping: string): string {
  return /^[\w./:@%+=,[\]-]+$/.test(mapping) ? mapping : `'${mapping.replaceAll("'", `'\\''`)}'`;
}

/**
 * Returns a clause about the fields that a data set does not have: which are kept, and which stay
 * unused.
 */
function leftText({ kept, unused }: ReadRecord): string {
  const parts = [
    ...(kept.length > 0 ? [`keeps ${kept.join(', ')}`] : []),
    ...(unused.length > 0 ? [`leaves ${unused.join(', ')} unused`] : []),
  ];
  return `which ${parts.join(' and ')}`;
}

/** Returns the data set that shares most fields with a record. */
function nearestOf(datasets: readonly Dataset[], value: object, context: RecordContext): Dataset {
  const names = Object.keys(value);
  const likeness = (dataset: Dataset) => {
    const { schema } = dataset;
    const known = Object.keys(schema.shape);
    const shared = names.filter((name) => known.includes(name)).length;
    const needed = known.filter((name) => !schema.shape[name]?.safeParse(undefined).success);
    const there = needed.filter((name) => names.includes(name)).length;
    const read = readRecord(dataset, value, context);
    const isOfIt = 'problems' in read && read.isOfIt;
    return Number(isOfIt) + shared / names.length + there / Math.max(needed.length, 1);
  };
  const [first, ...others] = datasets;
  if (!first) throw new RangeError('There is no data set.');
  return others.reduce((best, one) => (likeness(one) > likeness(best) ? one : best), first);
}
