import { command } from '../command.js';
import { Failure } from '../failure.js';

/** Says that there is no such run, and maybe where or for what. */
export function unknownRun(run: string, where = ''): Failure {
  const what = `There is no run "${run}"${where}; "${command('runs')}" lists them.`;
  return new Failure('UnknownRun', what);
}

/** As `unknownRun`, of a study that has no run where this process looks. */
export function unknownStudy(study: string): Failure {
  const what = `No run of a study "${study}" is kept here; "${command('study', 'list')}" lists them.`;
  return new Failure('UnknownRun', what);
}
