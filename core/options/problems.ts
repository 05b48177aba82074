/** Problems of an input by field, which are worded only when they are printed. Pure. */
import { Failure } from '../failure.js';

/** A problem of one field of an input: the path of the field, and a message. */
export interface Problem {
  /** Path of the field from the top of the input. */
  path: readonly PropertyKey[];
  /** Text that follows the name of the field and a colon. */
  message: string | ((wording: Wording) => string);
  /** Set if the schema has no such field. */
  isUnknown?: true;
}

/**
 * The wording of the fields of an input in messages: a function that names a field (as a flag, as
 * a path in a file, or as code), and the word for null.
 */
export interface Wording {
  /** Returns the name of the field at a path, such as "--corpus" or "retrieval.corpus". */
  nameOf(path: readonly PropertyKey[]): string;
  /** Word for null, such as "none". */
  none: string;
}

const inFields: Wording = { nameOf: fieldName, none: 'null' };

/**
 * The failure BadInput with a list of problems, each with the path of its field, so that a caller
 * can name each field as the user typed it.
 */
export class BadInput extends Failure {
  constructor(readonly problems: readonly Problem[]) {
    super('BadInput', `Bad input. ${describeProblems(problems)}`);
  }
}

/**
 * Returns the failure BadInput about one field; it is not thrown.
 *
 * @param path Path of the field, with dots; empty for the whole input.
 * @param message Text that follows the name of the field and a colon.
 */
export function badInput(path: string, message: Problem['message']): BadInput {
  return new BadInput([{ path: path === '' ? [] : path.split('.'), message }]);
}

/**
 * Returns problems as one line of text, joined by semicolons: "options.passages: must be ...; seed:
 * must be ...".
 */
export function describeProblems(problems: readonly Problem[], wording = inFields): string {
  return problems.map((problem) => problemText(problem, wording)).join('; ');
}

/** Returns one problem as text: the name of the field, a colon, and the message. */
export function problemText({ path, message }: Problem, wording = inFields): string {
  const text = typeof message === 'string' ? message : message(wording);
  return `${wording.nameOf(path)}: ${text}`;
}

/**
 * Returns the path of a field joined by dots; "input" for the empty path.
 *
 * @example fieldName(['options', 'passages']) // 'options.passages'
 */
export function fieldName(path: readonly PropertyKey[]): string {
  return path.map(String).join('.') || 'input';
}
