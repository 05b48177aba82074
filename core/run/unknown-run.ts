import { command } from '../command.js';
import { Failure } from '../failure.js';

/** Returns the failure of an unknown run; `where` says where or what for. */
export function unknownRun(run: string, where = ''): Failure {
  const what = `There is no run "${run}"${where}; "${command('runs')}" lists them.`;
  return new Failure('UnknownRun', what);
}

/** Returns the failure of a study that has no stored run here. */
export function unknownStudy(study: string): Failure {
  const what = `No run of a study "${study}" is kept here; "${command('study', 'list')}" lists them.`;
  return new Failure('UnknownRun', what);
}
