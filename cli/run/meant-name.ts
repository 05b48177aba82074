import { Failure } from '../../core/failure.js';
import { nearest } from '../../core/options/nearest.js';
import { studyNames } from '../../evaluation/study/study-of.js';
import type { CliContext } from '../context.js';
import { withRuns } from './with-runs.js';

/**
 * Returns the error; a refusal of a run or study that there is not says which kept one was meant.
 *
 * @param typed The runs and studies that were named.
 */
export async function sayingMeant(
  error: unknown,
  typed: readonly string[],
  context: CliContext,
): Promise<unknown> {
  if (!(error instanceof Failure && error.type === 'UnknownRun')) return error;
  const list = await withRuns(context, (runs) => runs.list()).catch(() => []);
  const kept = [...list.map(({ run }) => run), ...studyNames(list)];
  const unknown = typed.filter((name) => !kept.includes(name));
  const meant = unknown.flatMap((name) => nearest(name, kept) ?? []);
  if (meant.length === 0) return error;
  const message = `${error.message} Did you mean ${meant.join(', ')}?`;
  return new Failure('UnknownRun', message, { cause: error });
}
