import { command } from '../command.js';
import { Failure } from '../failure.js';

/**
 * Returns the failure UnknownRun for a run that does not exist; it is not thrown.
 *
 * @param where Text that follows the name in the message, such as " in this store".
 */
export function unknownRun(run: string, where = ''): Failure {
  const what = `There is no run "${run}"${where}; "${command('runs')}" lists them.`;
  return new Failure('UnknownRun', what);
}

/** Returns the failure UnknownRun for a study without stored runs; it is not thrown. */
export function unknownStudy(study: string): Failure {
  const what = `No run of a study "${study}" is stored here; "${command('study', 'list')}" lists them.`;
  return new Failure('UnknownRun', what);
}
