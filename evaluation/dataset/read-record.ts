/** Reads one record of a file as questions. Pure. */
import { toUSVString } from 'node:util';
import type { AnswerKind, DatasetRecord } from '../../core/dataset-record.js';
import { checkAgainst, describeKind } from '../../core/options/checked.js';
import { type Problem, problemText } from '../../core/options/problems.js';
import { sha256Of } from '../../core/sha256.js';
import { unquotedPath } from '../../files/records/field-path.js';
import { isShortened } from '../../files/records/python-value.js';
import { isClaimClass } from '../metrics/fact-label.js';
import { BadRecord, type Dataset, type GivenQuestion } from './define-dataset.js';
import { fieldsRead, keptFields, unique } from './record-fields.js';
import { SHORTENED } from './table-files.js';

/** Options for reading records as questions, which apply to a whole file. */
export interface RecordOptions {
  /**
   * Whether a question without an answer, reference text, claim or gold passage is refused, because
   * it could not be scored. @default true
   */
  scorable?: boolean | undefined;
  /**
   * Answer kind of every question, in place of the one that the file states. @default the file's,
   * else derived from the answers
   */
  kind?: AnswerKind | undefined;
  /** Separator of several answers in one text, such as "|"; undefined if a text is one answer. */
  split?: string | undefined;
}

/** Options for reading one record: those of its file, and the record's key if the file is a map. */
export interface RecordContext extends RecordOptions {
  /** Key of the record in a map of records, used as id if the record has none. */
  key?: string | undefined;
  /** Whether fields that the schema does not have are ignored instead of refused. */
  loose?: boolean | undefined;
}

/**
 * The questions read from a record, with the paths of its other fields: those that are stored with
 * the questions, and those that are ignored.
 */
export interface ReadRecord {
  /**
   * The questions, complete and with their ids; several for a record with several, none for a
   * header.
   */
  questions: DatasetRecord[];
  /** Paths of fields that are stored with the questions as extra fields: `metadata.type`. */
  kept: string[];
  /** Paths of fields that are ignored: `passages[].url`. */
  unused: string[];
}

/**
 * The reasons why a record does not fit a data set: an array of problems as text, such as "answer:
 * is missing", and whether the record is a question of the data set that is refused for another
 * reason.
 */
export interface Misfit {
  /** Problems as text; each begins with the field if it is about one. */
  problems: string[];
  /**
   * Whether the data set reads the record as a question, which is then refused: it cannot be
   * scored, is too long, or has a text that was cut.
   */
  isOfIt: boolean;
}

/**
 * Reads a record by the declaration of a data set. Returns its questions or, if it does not fit,
 * the reasons (`Misfit`). Fields that are null, and columns without a name, are ignored.
 */
export function readRecord(
  dataset: Dataset,
  value: unknown,
  { loose = false, key, ...options }: RecordContext = {},
): ReadRecord | Misfit {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problems: ['the record is not an object'], isOfIt: false };
  }
  const fields = Object.entries(value).filter(
    ([name, held]) => held !== null && held !== undefined && !isNameless(name, dataset),
  );
  const record = Object.fromEntries(fields);
  const strict = parsed(dataset, record);
  const spare = loose ? unknownFields(strict.problems) : [];
  const result = spare.length === 0 ? strict : parsed(dataset, without(record, spare));
  if (result.problems) return misfitOf(result.problems);
  const given = questionsOf(dataset, result.data);
  if (given instanceof BadRecord) return { problems: [given.message], isOfIt: false };
  const kept = keptFields(record, (path) => isReadBy(dataset, path));
  const questions = given.map((one) =>
    wellFormed(completed({ ...ofOrder(dataset), ...one }, key, kept, options)),
  );
  const problem = questions.map((one) => problemOf(one, options)).find(Boolean);
  if (problem) return { problems: [problem], isOfIt: true };
  const names = Object.keys(kept);
  const isKept = (path: string) => names.some((one) => one === path || one.startsWith(`${path}.`));
  return {
    questions,
    kept: names,
    unused: unique(spare.map(spelled)).filter((path) => !isKept(path)),
  };
}

/** Returns a misfit whose problems are worded on first use: most are never shown. */
function misfitOf(problems: readonly Problem[]): Misfit {
  let lines: string[] | undefined;
  return {
    get problems() {
      lines ??= problemLines(problems);
      return lines;
    },
    isOfIt: false,
  };
}

/** Returns whether a column has no name, such as the index that pandas writes. */
function isNameless(name: string, { mapped }: Dataset): boolean {
  return name === '' || (!mapped && /^Unnamed: \d+$/.test(name));
}

/** Returns whether a data set uses a field of its records. */
function isReadBy({ mapped, schema }: Dataset, path: string): boolean {
  if (mapped) {
    return mapped.map(unquotedPath).some((one) => one === path || isUnder(path, one));
  }
  const [name = ''] = path.split('.');
  return fieldsRead(schema).includes(name);
}

/** Returns whether a path is a value of an object that a mapping takes completely by `*`. */
function isUnder(path: string, mapped: string): boolean {
  return mapped.endsWith('.*') && path.startsWith(mapped.slice(0, -1));
}

function questionsOf(
  dataset: Dataset,
  record: Record<string, unknown>,
): GivenQuestion[] | BadRecord {
  try {
    return [dataset.question(record)].flat();
  } catch (error) {
    if (error instanceof BadRecord) return error;
    throw error;
  }
}

function parsed({ schema }: Dataset, value: unknown) {
  return checkAgainst(schema, value, [], describeKind);
}

/** Returns the problems as text. Unknown fields are listed together. */
function problemLines(problems: readonly Problem[]): string[] {
  const nameOf = (path: Path) => spelled(path) || 'the record';
  const wrong = problems
    .filter(({ isUnknown }) => !isUnknown)
    .map((problem) => problemText(problem, { nameOf, none: 'null' }));
  const unknown = unique(unknownFields(problems).map(spelled));
  return [...wrong, ...(unknown.length > 0 ? [`unknown fields: ${unknown.join(', ')}`] : [])];
}

type Path = readonly PropertyKey[];

function unknownFields(problems: readonly Problem[] = []): Path[] {
  return problems.flatMap(({ path, isUnknown }) => (isUnknown ? [path] : []));
}

function without(record: object, paths: readonly Path[]): object {
  const copy = structuredClone(record);
  for (const path of paths) {
    const held = path.slice(0, -1).reduce<unknown>((at, key) => Reflect.get(Object(at), key), copy);
    Reflect.deleteProperty(Object(held), path.at(-1) ?? '');
  }
  return copy;
}

/** Returns a path in the notation of mappings: `passages[].url`. */
function spelled(path: Path): string {
  return path
    .map((key) => (typeof key === 'number' ? '[]' : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');
}

/** Returns whether the passages of a data set are ranked, as a property of its questions. */
function ofOrder({ ranked = true }: Dataset): Pick<GivenQuestion, 'passagesRanked'> {
  return ranked ? {} : { passagesRanked: false };
}

/** Returns a question with the parts added that follow from others. */
function completed(
  given: GivenQuestion,
  key: string | undefined,
  kept: Record<string, string>,
  { kind, split }: RecordOptions,
): DatasetRecord {
  const { answerGroups, longAnswers, claims } = given;
  const whole = given.answers ?? answerGroups?.flat() ?? [];
  const answers = unique(split === undefined ? whole : whole.flatMap((one) => partsOf(one, split)));
  const passages = given.passages?.filter(({ text }) => text.trim() !== '') ?? [];
  const id = given.id ?? key ?? contentId(given.question, answers);
  const isList = kind === 'list' && !answerGroups;
  const fields = keptFields({ ...kept, ...given.fields }, () => false);
  return {
    id,
    question: given.question,
    answers,
    ...(given.answerable === false && { answerable: false as const }),
    answerKind: kind ?? given.answerKind ?? kindOf({ answers, answerGroups, longAnswers, claims }),
    ...(passages.length > 0 && { passages }),
    ...(passages.length > 1 &&
      given.passagesRanked === false && { passagesRanked: false as const }),
    ...(passages.length > 0 && given.corpusIds && { corpusIds: true as const }),
    ...(given.label !== undefined && { label: given.label }),
    ...(answerGroups && { answerGroups }),
    ...(isList && { answerGroups: answers.map((answer) => [answer]) }),
    ...(longAnswers && longAnswers.length > 0 && { longAnswers }),
    ...(claims && claims.length > 0 && { claims }),
    ...(Object.keys(fields).length > 0 && { fields }),
  };
}

/**
 * Returns a value with lone surrogates in texts replaced. Truncated texts can contain them, and they
 * cannot be written to a file: two ids would become equal.
 */
function wellFormed<T>(value: T): T {
  if (typeof value === 'string') return toUSVString(value) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed) as T;
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [name, wellFormed(held)]),
  ) as T;
}

const BOOLEAN: ReadonlySet<string> = new Set(['yes', 'no', 'true', 'false']);

/** Returns the answer kind of a question. Short answers take precedence over reference texts. */
function kindOf({
  answers,
  answerGroups,
  longAnswers = [],
  claims = [],
}: Pick<DatasetRecord, 'answers' | 'answerGroups' | 'longAnswers' | 'claims'>): AnswerKind {
  if (claims.length > 0 || answerGroups) return 'long';
  if (answers.length === 0) return longAnswers.length > 0 ? 'long' : 'span';
  if (answers.every((answer) => BOOLEAN.has(answer.toLowerCase()))) return 'boolean';
  return answers.some(isClaimClass) ? 'label' : 'span';
}

function partsOf(answer: string, mark: string): string[] {
  return answer
    .split(mark)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/**
 * Returns an id derived from a question and its answers, "q-" and 16 hexadecimal digits. It is the
 * same in every file.
 */
export function contentId(question: string, answers: readonly string[]): string {
  const content = JSON.stringify([question, answers]);
  return `q-${sha256Of(content, 16)}`;
}

const LONGEST = 20_000;

/** Returns the reason why a question is refused; undefined if it is not. */
function problemOf(record: DatasetRecord, { scorable = true }: RecordOptions): string | undefined {
  const { question, answers, longAnswers, claims, passages, answerable } = record;
  const texts = { answers, longAnswers, claims, passages: passages?.map(({ text }) => text) };
  const shortened = Object.entries(texts).find(([, held]) => held?.some(isShortened))?.[0];
  if (shortened) {
    return `${shortened}: ${SHORTENED}`;
  }
  if (question.length > LONGEST) return 'question: has more than 20,000 characters';
  const hasGold = passages?.some(({ isGold }) => isGold) ?? false;
  const isEmpty = answers.length === 0 && !longAnswers && !claims && !hasGold;
  if (!scorable || answerable === false || !isEmpty) return undefined;
  return 'answers: are missing, so the question cannot be scored';
}
