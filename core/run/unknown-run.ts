import { command } from '../command.js';
import { Failure } from '../failure.js';

/**
 * Returns the failure UnknownRun of a run that does not exist.
 *
 * @param where Words that follow the name in the message: where the run was looked for.
 */
export function unknownRun(run: string, where = ''): Failure {
  const what = `There is no run "${run}"${where}; "${command('runs')}" lists them.`;
  return new Failure('UnknownRun', what);
}

/** Returns the failure UnknownRun of a study without a stored run. */
export function unknownStudy(study: string): Failure {
  const what = `No run of a study "${study}" is kept here; "${command('study', 'list')}" lists them.`;
  return new Failure('UnknownRun', what);
}
