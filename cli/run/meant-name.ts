import { command } from '../../core/command.js';
import { Failure } from '../../core/failure.js';
import { nearest } from '../../core/options/nearest.js';
import { studyNames } from '../../evaluation/study/study-of.js';
import type { CliContext } from '../context.js';
import { withRuns } from './with-runs.js';

/**
 * Returns the error to report for a command: the given one, except for an unknown run or study.
 * Its message then names the closest stored name, or the command for studies if the name is a
 * study's.
 *
 * @param typed Names of runs and studies that were typed.
 * @param ofStudies Name of the command that does the same for a study.
 */
export async function withSuggestion(
  error: unknown,
  typed: readonly string[],
  context: CliContext,
  ofStudies?: string,
): Promise<unknown> {
  if (!(error instanceof Failure && error.type === 'UnknownRun')) return error;
  const list = await withRuns(context, (runs) => runs.list()).catch(() => []);
  const studies = studyNames(list);
  const study = typed.find((name) => studies.includes(name));
  if (ofStudies !== undefined && study !== undefined) {
    const message = `${error.message} It is a study: "${command(...ofStudies.split(' '), study)}".`;
    return new Failure('UnknownRun', message, { cause: error });
  }
  const kept = [...list.map(({ run }) => run), ...studies];
  const unknown = typed.filter((name) => !kept.includes(name));
  const meant = unknown.flatMap((name) => nearest(name, kept) ?? []);
  if (meant.length === 0) return error;
  const message = `${error.message} Did you mean ${meant.join(', ')}?`;
  return new Failure('UnknownRun', message, { cause: error });
}
