import { command } from '../command.js';
import { Failure } from '../failure.js';

/**
 * Returns the failure UnknownRun for a run that does not exist.
 *
 * @param where Text that follows the name in the message, such as " in this store".
 */
export function unknownRun(run: string, where = ''): Failure {
  const what = `There is no run "${run}"${where}; "${command('runs')}" lists them.`;
  return new Failure('UnknownRun', what);
}

/** Returns the failure UnknownRun for a study that has no stored run. */
export function unknownStudy(study: string): Failure {
  const what = `No run of a study "${study}" is kept here; "${command('study', 'list')}" lists them.`;
  return new Failure('UnknownRun', what);
}
