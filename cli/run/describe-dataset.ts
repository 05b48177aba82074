import {
  ANSWER_KINDS,
  type AnswerKind,
  type DatasetRecord,
  type Snapshot,
} from '../../core/dataset-record.js';
import { shortened } from '../../core/shortened.js';
import type { ChosenRecord } from '../../evaluation/dataset/choose-dataset.js';
import { plural } from '../../evaluation/runs/number-text.js';
import { printable } from '../../report/views/printable.js';

/** The questions with one kind of answer: their number, and an example. */
interface OfKind {
  questions: number;
  withPassages: number;
  unanswerable: number;
  example: DatasetRecord;
}

/**
 * A summary of how the records of a data set were read, for the person who checks it: the kinds of
 * answers, and the fields that are kept or ignored. `add` takes one record; `lines` returns lines
 * for the terminal.
 */
export class DatasetSummary {
  readonly #kinds = new Map<AnswerKind, OfKind>();
  readonly #unused = new Map<string, number>();
  /** Values of each kept field, up to a limit. */
  readonly #kept = new Map<string, Set<string>>();
  /** The number of single answers that contain a separator, and the first of them, by separator. */
  readonly #separated = new Map<string, { count: number; example: string }>();
  #chosen = '';

  add({ dataset, questions, unused }: ChosenRecord): void {
    this.#chosen = dataset;
    for (const field of unused) add(this.#unused, field);
    for (const record of questions) this.#addQuestion(record);
  }

  #addQuestion(record: DatasetRecord): void {
    const { answerKind, passages = [], answerable } = record;
    const kind = this.#kinds.get(answerKind) ?? {
      questions: 0,
      withPassages: 0,
      unanswerable: 0,
      example: record,
    };
    kind.questions++;
    if (passages.length > 0) kind.withPassages++;
    if (answerable === false) kind.unanswerable++;
    this.#kinds.set(answerKind, kind);
    this.#addSeparated(record);
    for (const [field, value] of Object.entries(record.fields ?? {})) {
      const values = this.#kept.get(field) ?? new Set();
      if (values.size < MANY) values.add(value);
      this.#kept.set(field, values);
    }
  }

  /** A single short answer with a mark in it may be several that a table has in one cell. */
  #addSeparated({ answers, answerKind }: DatasetRecord): void {
    const [answer = '', ...others] = answers;
    const mark = /[^\s;|]\s*([;|])\s*[^\s;|]/.exec(answer)?.[1];
    if (answerKind !== 'span' || others.length > 0 || mark === undefined) return;
    const { count, example } = this.#separated.get(mark) ?? { count: 0, example: answer };
    this.#separated.set(mark, { count: count + 1, example });
  }

  #separatedLine(): string {
    const [[mark, { count, example }] = ['', { count: 0, example: '' }]] = [
      ...this.#separated,
    ].toSorted(([, a], [, b]) => b.count - a.count);
    return `One answer ${plural(count, 'text')} with "${mark}" in it, such as "${shortened(example, 60)}"; --split '${mark}' takes its parts as answers`;
  }

  /**
   * Returns lines that describe how the questions were read: the data set or mapping, the number of
   * questions for each kind of answer with an example, the fields that are kept, and those that
   * were ignored.
   *
   * @param snapshot Counts of skipped and numbered records.
   */
  lines(label: string, snapshot: Notes = {}): string[] {
    const described = ANSWER_KINDS.map((kind) => [kind, this.#kinds.get(kind)] as const);
    return [
      `Data set   ${label}, read as ${this.#chosen}`,
      ...described.flatMap(([kind, found]) => (found ? describeKind(kind, found) : [])),
      ...(this.#kept.size > 0 ? [`Kept       ${valuesOf(this.#kept)}`] : []),
      ...(this.#unused.size > 0 ? [`Not used   ${counted(this.#unused, ', ')}`] : []),
      ...(this.#separated.size > 0 ? [this.#separatedLine()] : []),
      ...readingNotes(snapshot).map((note) => `Note       ${note}`),
    ].map(printable);
  }
}

type Notes = Pick<Snapshot, 'numbered' | 'skipped'>;

/**
 * Returns an array of up to two sentences: one about skipped records, and one about equal records
 * without ids, whose ids got a number; empty if there are none.
 */
export function readingNotes({ numbered = 0, skipped = 0 }: Notes): string[] {
  return [
    ...(skipped > 0 ? [`${plural(skipped, 'record')} left out (--skip-bad): no questions`] : []),
    ...(numbered > 0
      ? [`${plural(numbered, 'question')} of equal records without an id: their ids end in -2, -3`]
      : []),
  ];
}

/** Maximum number of values of a field that are counted. */
const MANY = 1000;

/**
 * Returns the kept fields with their numbers of values, such as "type (2 values), doc (231
 * values)".
 * @example "type (2 values), doc (231 values)"
 */
function valuesOf(kept: ReadonlyMap<string, ReadonlySet<string>>): string {
  return [...kept]
    .map(([field, { size }]) => `${field} (${size < MANY ? plural(size, 'value') : 'many values'})`)
    .join(', ');
}

function add(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

/** Returns the counted names as text, the most frequent first. */
function counted(counts: ReadonlyMap<string, number>, separator: string): string {
  const parts = [...counts].toSorted(([, a], [, b]) => b - a);
  return parts.map(([what, count]) => `${what} (${count.toLocaleString('en-US')})`).join(separator);
}

function describeKind(
  kind: AnswerKind,
  { questions, withPassages, unanswerable, example }: OfKind,
): string[] {
  const notes = [
    withPassages === 0 ? 'no passages of their own' : `${withPassages} with passages of their own`,
    ...(unanswerable > 0 ? [`${unanswerable} without an answer in them`] : []),
  ];
  return [
    `  ${kind.padEnd(9)}${questions.toLocaleString('en-US')} (${notes.join(', ')}), for example ${example.id}:`,
    `           ${describeExample(example)}`,
  ];
}

function describeExample(record: DatasetRecord): string {
  const { question, answers, answerGroups, longAnswers = [], claims = [], label } = record;
  const { passages = [], answerable } = record;
  const wanted = answerGroups
    ? answerGroups
        .map((names) => `[${listed(names, 3)}]`)
        .slice(0, 3)
        .join(' ')
    : listed(answers, 4);
  return [
    shortened(question, 100),
    ...(answerable === false ? ['=> none: it cannot be answered'] : wanted ? [`=> ${wanted}`] : []),
    ...(answerGroups && answerGroups.length > 3 ? [`and ${answerGroups.length - 3} more`] : []),
    ...(label === undefined ? [] : [`(label ${label})`]),
    ...(longAnswers.length > 0 ? [`+ ${plural(longAnswers.length, 'reference text')}`] : []),
    ...(claims.length > 0 ? [`+ ${plural(claims.length, 'claim')}`] : []),
    ...(passages.length > 0 ? [`| ${plural(passages.length, 'passage')}`] : []),
  ].join(' ');
}

function listed(names: readonly string[], most: number): string {
  const shown = names.slice(0, most).map((name) => shortened(name, 40));
  return names.length > most ? `${shown.join(' / ')} / ...` : shown.join(' / ');
}
