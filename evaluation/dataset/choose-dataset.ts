/** Which declared data set a file is of: the one that every record of it fits. Pure. */
import { canonicalJson } from '../../core/canonical-json.js';
import { ANSWER_KINDS } from '../../core/dataset-record.js';
import { Failure } from '../../core/failure.js';
import { NAME, NAME_RULE } from '../../core/name.js';
import { suggestion } from '../../core/options/nearest.js';
import { writtenValue } from '../../files/records/python-value.js';
import { BadRecord, type Dataset } from './define-dataset.js';
import { mappedBy } from './map-fields.js';
import { fieldsRead } from './parts.js';
import {
  type Misfit,
  type ReadRecord,
  type RecordContext,
  type RecordOptions,
  readRecord,
} from './read-record.js';
import { DATASETS } from './readers/index.js';

/** How somebody says what a file is; without any of it, it is found out. */
export interface ReadAs {
  /** Name of a data set; fields that it does not know are left over. */
  as?: string | undefined;
  /** Which field is which: see `fieldMap`. */
  fields?: Readonly<Record<string, string>> | undefined;
  /** Data sets of one's own, beside those that are published. */
  datasets?: readonly Dataset[] | undefined;
}

/** A record that was read, and by which data set. */
export interface ChosenRecord extends ReadRecord {
  /** Its name; of a mapping the paths. */
  dataset: string;
}

/**
 * All data sets there are.
 *
 * @throws Failure BadInput where a name of one's own is none, or is there already.
 */
export function datasetsWith(own: readonly Dataset[] = []): Dataset[] {
  const all = [...DATASETS];
  for (const dataset of own) {
    const { name } = dataset;
    if (typeof name !== 'string' || !NAME.test(name)) {
      throw new Failure('BadInput', `The name of a data set ${NAME_RULE}, not "${name}".`);
    }
    if (all.some((one) => one.name === name)) {
      throw new Failure('BadInput', `There is a data set "${name}" already; rename yours.`);
    }
    all.push(dataset);
  }
  return all;
}

/**
 * Reads the records of one file. Each has to fit one data set whole, the same for all of them; of
 * several that it fits the first stands for all where they say the same of it.
 *
 * @returns a function that reads the next record, and throws BadRecord for one that is none.
 * @throws Failure BadInput for a data set that there is not.
 */
export function datasetReader({
  as,
  fields,
  datasets: own,
  ...options
}: ReadAs & RecordOptions = {}): (value: unknown, key?: string) => ChosenRecord {
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
  return (value, key) => {
    if (isDeeper(value, DEEPEST)) {
      throw new BadRecord(`it has more than ${DEEPEST} levels of lists and objects`);
    }
    const context = { ...options, key, loose: as !== undefined };
    const tried = left.map((dataset) => ({ dataset, read: readRecord(dataset, value, context) }));
    const fitting = tried.flatMap(({ dataset, read }) =>
      'questions' in read ? [{ dataset, read }] : [],
    );
    const [first, ...others] = fitting;
    if (!first) {
      const problems = problemsOf(tried[0]?.read);
      if (!given) throw new BadRecord(refusal(value, left, left === known, context));
      // A path of a mapping may name none of the fields that there are.
      const fields = given.mapped ? `. Its fields are ${pathsIn(value).join(', ')}` : '';
      throw new BadRecord(problems + fields);
    }
    const said = others.length > 0 ? asked(first.read) : '';
    const other = others.find(({ read }) => asked(read) !== said);
    if (other) {
      const [one, another] = [first.dataset.name, other.dataset.name];
      throw new BadRecord(
        `it fits ${one} and ${another}, which read it otherwise: take --as ${one} or --as ${another}`,
      );
    }
    left = fitting.map(({ dataset }) => dataset);
    return {
      ...first.read,
      dataset: first.dataset.mapped ? first.dataset.source : first.dataset.name,
    };
  };
}

/** What a record was read as, but for the fields that are kept beside it. */
function asked({ questions }: ReadRecord): string {
  return canonicalJson(questions.map(({ fields: _, ...question }) => question));
}

/** What walks a record would run out of stack far below; no record of a question comes near. */
const DEEPEST = 500;

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((held) => isDeeper(held, levels - 1));
}

function namedIn(all: readonly Dataset[], { as, fields }: ReadAs): Dataset | undefined {
  if (as !== undefined && fields !== undefined) {
    throw new Failure(
      'BadInput',
      'fields: has no effect beside as: one of the two says how a file is read.',
    );
  }
  if (fields) return mappedBy('fields', fields);
  if (as === undefined) return undefined;
  const found = all.find(({ name }) => name === as);
  if (found) return found;
  const names = all.map(({ name }) => name);
  throw new Failure('BadInput', `as: there is no data set "${as}"${suggestion(as, names)}`);
}

function problemsOf(read: ReadRecord | Misfit | undefined): string {
  return read && 'problems' in read ? read.problems.join('; ') : '';
}

/** The nearest data set, what it reads and what does not fit it, the fields that there are, the flags that would do. */
function refusal(
  value: unknown,
  left: readonly Dataset[],
  isFirst: boolean,
  context: RecordContext,
): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'it is no object';
  }
  const nearest = nearestOf(left, value);
  const problems = problemsOf(readRecord(nearest, value, context));
  const loosely = readRecord(nearest, value, { ...context, loose: true });
  const paths = pathsIn(value);
  const named = isFirst
    ? `it fits no data set. The nearest is ${nearest.name} (${fieldsRead(nearest.schema).join(', ')})`
    : `it is not of ${nearest.name}, as the records before it are`;
  const flags = [
    ...('questions' in loosely ? [`take --as ${nearest.name}, ${leftText(loosely)}`] : []),
    ...mappingFor(paths, value, context).map(
      (mapping) => `say which field is which: --fields ${mapping}`,
    ),
  ].join(', or ');
  const advice = flags && `. ${flags.charAt(0).toUpperCase()}${flags.slice(1)}`;
  return `${named}: ${problems}. Its fields are ${paths.join(', ')}${advice}`;
}

/** What becomes of the fields that a data set does not know. */
function leftText({ kept, unused }: ReadRecord): string {
  const parts = [
    ...(kept.length > 0 ? [`keeps ${kept.join(', ')}`] : []),
    ...(unused.length > 0 ? [`leaves ${unused.join(', ')} unused`] : []),
  ];
  return `which ${parts.join(' and ')}`;
}

/** The one that shares most of its fields. */
function nearestOf(datasets: readonly Dataset[], value: object): Dataset {
  const names = Object.keys(value);
  const likeness = ({ schema }: Dataset) => {
    const known = Object.keys(schema.shape);
    const shared = names.filter((name) => known.includes(name)).length;
    const needed = known.filter((name) => !schema.shape[name]?.safeParse(undefined).success);
    const there = needed.filter((name) => names.includes(name)).length;
    return shared / names.length + there / Math.max(needed.length, 1);
  };
  const [first, ...others] = datasets;
  if (!first) throw new RangeError('There is no data set.');
  return others.reduce((best, one) => (likeness(one) > likeness(best) ? one : best), first);
}

/** Most that are named of a record. */
const SHOWN = 24;
const LONGEST_PATH = 4;

/** The paths to the values of a record, as a mapping names them. */
function pathsIn(value: unknown, at = '', depth = 0): string[] {
  if (Array.isArray(value)) {
    const inner = value.slice(0, 3).flatMap((item) => pathsIn(item, `${at}[]`, depth));
    return [...new Set(inner.length > 0 ? inner : [at])];
  }
  if (typeof value !== 'object' || value === null || depth > LONGEST_PATH) return [at];
  const paths = Object.entries(value).flatMap(([name, held]) =>
    pathsIn(held, at === '' ? name : `${at}.${name}`, depth + 1),
  );
  return [...new Set(paths)].slice(0, SHOWN);
}

/**
 * Returns a mapping with the paths that end as our fields are called: to be filled in, or one that
 * reads the record; none if it would be refused as well, as for an answer that is empty, or if it
 * took the text of a list for an answer.
 */
function mappingFor(paths: readonly string[], value: object, context: RecordContext): string[] {
  const find = (...fields: string[]) =>
    paths.find((path) => fields.includes(path.split('.').at(-1)?.replaceAll('[]', '') ?? '')) ??
    '...';
  const fields = { question: find('question'), answers: find('answers', 'answer') };
  const isWhole = !Object.values(fields).includes('...');
  if (isWhole) {
    const read = readRecord(mappedBy('fields', fields), value, context);
    if ('problems' in read) return [];
    const answers = read.questions.flatMap((question) => question.answers);
    if (answers.some((answer) => writtenValue(answer) !== answer)) return [];
  }
  return [`question=${fields.question},answers=${fields.answers}`];
}
