/** Reads one line of a data set into a record. Pure. */
import { createHash } from 'node:crypto';
import { accepts, holdsOther, looksLike, nearestField, plainName, type Role } from './fields.js';
import { kindOf } from './kind.js';
import { BadField, check, type Field, Line } from './line.js';
import { readAnswers } from './read-answers.js';
import { readPassages } from './read-passages.js';
import type { DatasetRecord } from './record.js';
import { id, text } from './values.js';

/** What is wrong with a line, beginning with the field. */
export type LineProblem = { problem: string };

export interface RecordOptions {
  /**
   * Whether a question without an answer, reference text or claim is refused: nothing could be
   * scored. @default true
   */
  scorable?: boolean;
  /** What the questions are taken to be where a line names no `task`: "dialogue". */
  task?: string;
}

/** A record, and which fields of the line it was read from. */
export interface Reading {
  record: DatasetRecord;
  /** By what was read the names of the fields. */
  sources: Record<string, string[]>;
  /** Fields that look like an id, answers or passages beside those that were read. */
  unused: string[];
}

/** What is known of a line besides its value. */
export interface LineContext extends RecordOptions {
  /** Its values are cells of a table. */
  cells?: boolean | undefined;
  /** Its key, in a map of questions. */
  key?: string | undefined;
}

/** The record of a parsed JSON line, or what is wrong with it. */
export function readRecord(value: unknown, options: LineContext = {}): DatasetRecord | LineProblem {
  const reading = readLine(value, options);
  return 'problem' in reading ? reading : reading.record;
}

/** As `readRecord`, with the fields that were read. */
export function readLine(
  value: unknown,
  { scorable = true, task, cells, key }: LineContext = {},
): Reading | LineProblem {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: 'the line: no JSON object' };
  }
  try {
    const line = new Line(value, cells);
    const record = recordOf(line, key, task);
    const unused = readRest(line);
    const { answers, claims, longAnswers, answerable } = record;
    if (scorable && answerable !== false && ![answers, claims, longAnswers].some(hasItems)) {
      throw new BadField('answers: there is none to compare with');
    }
    return { record, sources: line.sources(), unused };
  } catch (error) {
    if (error instanceof BadField) return { problem: error.message };
    throw error;
  }
}

function hasItems(values: readonly string[] | undefined): boolean {
  return values !== undefined && values.length > 0;
}

function recordOf(line: Line, key?: string, task?: string): DatasetRecord {
  const question = readQuestion(line);
  const { isList, ...reference } = readAnswers(line);
  const passages = readPassages(line);
  checkAuthor(line);
  const [idField] = line.ofRole('id');
  const given = idField ? check(id, line.read(idField, 'id'), idField.name) : key;
  return {
    id: given ?? contentId(question, reference.answers),
    question,
    ...reference,
    answerKind: kindOf(line, reference, { isList, task }),
    ...(passages && { passages }),
  };
}

const RETRIEVED = /^(?:contexts|retrievedcontexts|retrievalcontext)$/;

/** @throws BadField for RAGAS's lines without a reference: their `answer` is a model's. */
function checkAuthor(line: Line): void {
  const { answers = [], passages = [] } = line.sources();
  const retrieved = passages.find((name) => RETRIEVED.test(plainName(name)));
  const [only, ...others] = answers;
  if (retrieved === undefined || others.length > 0 || plainName(only ?? '') !== 'answer') return;
  throw new BadField(
    `${only}: beside ${retrieved} and without a ground_truth it could be a model's, as in RAGAS's files: call it answers if it is what is right`,
  );
}

const asked = text.max(20_000, { error: 'has more than 20,000 characters' });

function readQuestion(line: Line): string {
  const [field] = line.ofRole('question');
  // BEIR's and FoolMeTwice's claims are called text; so are the passages of a corpus.
  const found = field ?? (line.find('label') ? line.find('text') : undefined);
  if (!found) {
    const names = line.rest().map(({ name }) => name);
    throw new BadField(`question: there is none among the fields ${names.join(', ')}`);
  }
  const value = line.read(found, 'question');
  return check(asked, stemOf(value), found.name);
}

/** CommonsenseQA and NarrativeQA have a question in an object. */
function stemOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('stem' in value) return value.stem;
  return 'text' in value ? value.text : value;
}

/** The same question with the same answers has the same id in every file, whatever its passages. */
function contentId(question: string, answers: readonly string[]): string {
  const content = JSON.stringify([question, answers]);
  return `q-${createHash('sha256').update(content).digest('hex').slice(0, 16)}`;
}

const HOLDS: Readonly<Record<Role, string>> = {
  id: 'an id',
  question: 'a question',
  answers: 'answers',
  passages: 'passages',
};

/**
 * What is left and looks like a role is an error, so that nothing is dropped unseen; except where
 * the line has that role under this project's own name, which settles it, or was read from others.
 *
 * @returns the names of what is left beside that.
 */
function readRest(line: Line): string[] {
  const unused: string[] = [];
  for (const field of line.rest()) {
    const known = (['id', 'answers', 'passages'] as const).find((role) =>
      accepts(role, field.name),
    );
    unused.push(...insideOf(field));
    const role = known ?? looksLike(field.name, field.value);
    if (role === undefined && !holdsOther(field.name)) continue;
    if (role && !known && !isSettled(line, role)) throw new BadField(refusal(field, role));
    unused.push(field.name);
  }
  return unused;
}

/** FlashRAG keeps the rest of an official line under metadata, which is shown as not used. */
function insideOf({ name, value }: Field): string[] {
  if (!/^meta(?:data)?$/i.test(name) || typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .filter(([inner, held]) => {
      const role = looksLike(inner, held);
      return role === 'answers' || role === 'passages' || plainName(inner) === 'qapairs';
    })
    .map(([inner]) => `${name}.${inner}`);
}

function isSettled(line: Line, role: Role): boolean {
  const own = role === 'id' ? line.ofRole('id')[0] : line.find(role);
  return own !== undefined;
}

function refusal({ name }: Field, role: Role): string {
  return `${name}: looks like ${HOLDS[role]} and is not understood; the nearest field that is read is ${nearestField(role, name)} (leave ${name} out if it is nothing of the kind)`;
}
