/**
 * Maps the fields of a file to those of a question:
 * `question=inputs.question,answers=outputs.answer[]`. Pure.
 */

import { z } from 'zod';
import type { AnswerKind } from '../../core/dataset-record.js';
import { isObject } from '../../core/is-object.js';
import { checkAgainst } from '../../core/options/checked.js';
import { BadInput } from '../../core/options/problems.js';
import {
  hasValue,
  keyToPath,
  parseMapping,
  fieldPath as path,
  valuesAt,
} from '../../files/records/field-path.js';
import { BadRecord, type Dataset, defineDataset, type GivenQuestion } from './define-dataset.js';
import { id, number, passages, unique } from './record-fields.js';

/**
 * Schema of a mapping: for fields of a question, the path in a record. `[]` means each item of a
 * list, `[1]` and `[-1]` a single item.
 */
const fieldMap = z.strictObject({
  question: path,
  id: path.optional(),
  answers: path.optional(),
  passages: path.optional(),
  longAnswers: path.optional(),
  claims: path.optional(),
});

/** A mapping: the path of each field of a question in a record. */
type FieldMap = z.output<typeof fieldMap>;

/**
 * Parses a mapping as written in the flag `--fields`, and returns the path by the name of each
 * field of a question.
 *
 * @throws Failure BadInput naming each field that is unknown, missing or has an invalid path.
 * @example parseFields('question=inputs.question,answers=outputs.answer[],id=ticket')
 */
export function parseFields(written: string): Record<string, string> {
  return parseMapping(fieldMap, written) as Record<string, string>;
}

/** The declaration of a data set by a mapping instead of code. */
export interface MappedDeclaration {
  /** Name for `--as`. */
  name: string;
  /** Path in a record of each field of a question. */
  fields: FieldMap;
  /** Answer kind of every question. @default derived from the answers */
  kind?: AnswerKind | undefined;
}

/**
 * Returns the declaration of a data set whose questions are read by paths in the record. Short
 * values of fields without a mapping are stored with the questions as extra fields.
 *
 * @throws Failure BadInput for an invalid path or an unknown field, and if the question has no
 * path.
 * @example
 * mapDataset({
 *   name: 'tickets',
 *   fields: { question: 'inputs.question', answers: 'outputs.answer[]' },
 * });
 */
export function mapDataset({ name, fields, kind }: MappedDeclaration): Dataset {
  return mappedBy(name, fields, kind);
}

/**
 * Returns the data set declaration for a mapping that the user wrote, after checking it.
 *
 * @param given The mapping, as the user wrote it.
 * @param kind Answer kind of every question; undefined to derive it from the answers.
 * @throws Failure BadInput for an invalid path or an unknown field, and if the question has no
 * path.
 */
export function mappedBy(name: string, given: unknown, kind?: AnswerKind): Dataset {
  const checked = checkAgainst(fieldMap, given, ['fields']);
  if (checked.problems) throw new BadInput(checked.problems);
  const fields = checked.data;
  const written = Object.entries(fields).map(([field, at]) => `${field}=${at}`);
  const dataset = defineDataset({
    name,
    source: written.join(','),
    schema: z.looseObject({}),
    question: (record) => ({ ...mapped(record, fields), ...(kind && { answerKind: kind }) }),
  });
  return { ...dataset, mapped: Object.values(fields).filter((at) => at !== undefined) };
}

function mapped(record: object, fields: FieldMap): GivenQuestion {
  const [question, ...others] = required(record, fields.question).map((one) =>
    textOf(one, fields.question),
  );
  if (question === undefined || others.length > 0) {
    throw new BadRecord(`${fields.question}: must be a single question`);
  }
  return {
    question,
    ...(fields.id !== undefined && { id: required(record, fields.id).map(String).join('-') }),
    ...answersOf(record, fields.answers),
    passages: passagesOf(record, fields.passages),
    longAnswers: textsAt(record, fields.longAnswers),
    claims: textsAt(record, fields.claims),
  };
}

/**
 * Returns the answers at a path. If items are lists, each has the names of one answer, and all
 * answers are wanted.
 */
function answersOf(record: object, at = ''): Partial<GivenQuestion> {
  const values = itemsAt(record, at);
  const areItems = at.endsWith(']') || !at.includes('[]');
  if (areItems && values.some((one) => Array.isArray(one))) {
    const answerGroups = values.map((one) => [one].flat().map((name) => textOf(name, at)));
    return { answerGroups, answerKind: 'list' };
  }
  return { answers: textsAt(record, at) };
}

function textsAt(record: object, at = ''): string[] {
  return unique(itemsAt(record, at).map((one) => textOf(one, at)));
}

const passage = z.looseObject({
  id: id.nullish(),
  title: z.string().nullish(),
  text: z.string(),
  score: number.nullish(),
});

function passagesOf(record: object, at = ''): z.output<typeof passages> {
  const found = itemsAt(record, at).map((one) => {
    if (typeof one === 'string') return one;
    const parsed = passage.safeParse(one);
    if (!parsed.success) {
      throw new BadRecord(
        `${at}: must be a text, or an object with text, title, id and score (if the text has another name, map it: ${at}.content)`,
      );
    }
    const { id, title, text, score } = parsed.data;
    return { id: id ?? undefined, title, text, score: score ?? undefined };
  });
  return passages.parse(found);
}

function required(record: object, at: string): unknown[] {
  const values = valuesAt(record, at);
  if (values.length === 0) {
    throw new BadRecord(`${at}: is missing or empty`);
  }
  return values;
}

/** Returns the values at a path; a path to a single list gives its items. */
function itemsAt(record: object, at: string): unknown[] {
  const values = valuesAt(record, at);
  return at.includes('[]') ? values : values.flat().filter(hasValue);
}

/** Returns a value as text. @throws BadRecord for a list, whose path needs `[]`, and for an object. */
function textOf(value: unknown, at: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) throw new BadRecord(`${at}: is a list; use ${at}[] for each item`);
  if (isObject(value)) {
    const [name = 'name'] = Object.keys(value);
    throw new BadRecord(
      `${at}: must be a text, but is an object; use ${at}.${keyToPath(name)} for one of its values, or ${at}.* for all`,
    );
  }
  throw new BadRecord(`${at}: must be a text`);
}
