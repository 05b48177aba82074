/** Problems of an input, by field; they become sentences only when printed. Pure. */
import { Failure } from '../failure.js';

/** What is wrong with one field of an input. */
export interface Problem {
  /** Path of the field from the top of the input. */
  path: readonly PropertyKey[];
  /** Text that follows the name of the field and a colon. */
  message: string | ((wording: Wording) => string);
  /** Set for a field that the schema does not have. */
  isUnknown?: true;
}

/** How messages name the fields of an input: as on the command line, in a file or in code. */
export interface Wording {
  /** Returns the name of a field in that form. */
  nameOf(path: readonly PropertyKey[]): string;
  /** Text for no value. */
  none: string;
}

const inFields: Wording = { nameOf: fieldName, none: 'null' };

/** The refusal of an input, by field, so that a caller can name fields as they were typed. */
export class BadInput extends Failure {
  constructor(readonly problems: readonly Problem[]) {
    super('BadInput', `Bad input. ${describeProblems(problems)}`);
  }
}

/** Returns the refusal of one field. @param message What is wrong with the field at the path. */
export function badInput(path: string, message: Problem['message']): BadInput {
  return new BadInput([{ path: path === '' ? [] : path.split('.'), message }]);
}

/** Returns problems as one line for a person, in the terms of the input. */
export function describeProblems(problems: readonly Problem[], wording = inFields): string {
  return problems.map((problem) => problemText(problem, wording)).join('; ');
}

/** Returns one problem as a line for a person. */
export function problemText({ path, message }: Problem, wording = inFields): string {
  const text = typeof message === 'string' ? message : message(wording);
  return `${wording.nameOf(path)}: ${text}`;
}

/**
 * Returns the name of a field from its path.
 *
 * @example fieldName(['options', 'passages']) // 'options.passages'
 */
export function fieldName(path: readonly PropertyKey[]): string {
  return path.map(String).join('.') || 'input';
}
