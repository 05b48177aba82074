/** What is wrong with an input, by its fields: a sentence only when it is printed. Pure. */
import { Failure } from '../failure.js';

export interface Problem {
  path: readonly PropertyKey[];
  /** Follows the name of the field and a colon. */
  message: string | ((wording: Wording) => string);
}

/** How an input is written. */
export interface Wording {
  /** How a field is called there. */
  nameOf(path: readonly PropertyKey[]): string;
  /** What stands for no value. */
  none: string;
}

const inFields: Wording = { nameOf: fieldName, none: 'null' };

/** The refusal of an input, by its fields: whoever knows where they were typed can name that. */
export class BadInput extends Failure {
  constructor(readonly problems: readonly Problem[]) {
    super('BadInput', `Bad input. ${told(problems)}`);
  }
}

/** @param message Says of the field at the path what is wrong with it. */
export function badInput(path: string, message: Problem['message']): BadInput {
  return new BadInput([{ path: path === '' ? [] : path.split('.'), message }]);
}

/** Returns problems as a line for a person, in the words of the input. */
export function told(problems: readonly Problem[], wording = inFields): string {
  const each = problems.map(({ path, message }) => {
    const said = typeof message === 'string' ? message : message(wording);
    return `${wording.nameOf(path)}: ${said}`;
  });
  return each.join('; ');
}

/** @example fieldName(['options', 'passages']) // 'options.passages' */
export function fieldName(path: readonly PropertyKey[]): string {
  return path.map(String).join('.') || 'input';
}
