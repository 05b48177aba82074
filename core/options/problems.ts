/** What is wrong with an input, by its fields: a sentence only when it is printed. Pure. */
import { Failure } from '../failure.js';

export interface Problem {
  path: readonly PropertyKey[];
  /** Follows the name of the field and a colon. */
  message: string;
}

/** The refusal of an input, by its fields: whoever knows where they were typed can name that. */
export class BadInput extends Failure {
  constructor(readonly problems: readonly Problem[]) {
    super('BadInput', `Bad input. ${told(problems)}`);
  }
}

/** @param message Says of the field at the path what is wrong with it. */
export function badInput(path: string, message: string): BadInput {
  return new BadInput([{ path: path === '' ? [] : path.split('.'), message }]);
}

/** Problems as a line for a person. @param nameOf How a field is called where it was written. */
export function told(
  problems: readonly Problem[],
  nameOf: (path: readonly PropertyKey[]) => string = fieldName,
): string {
  return problems.map(({ path, message }) => `${nameOf(path)}: ${message}`).join('; ');
}

/** @example fieldName(['options', 'passages']) // 'options.passages' */
export function fieldName(path: readonly PropertyKey[]): string {
  return path.map(String).join('.') || 'input';
}
