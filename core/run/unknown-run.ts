import { command } from '../command.js';
import { Failure } from '../failure.js';

/** Says that there is no such run, and maybe where or for what. */
export function unknownRun(run: string, where = ''): Failure {
  const what = `There is no run "${run}"${where}; "${command('runs')}" lists them.`;
  return new Failure('UnknownRun', what);
}
