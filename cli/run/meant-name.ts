import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Failure } from '../../core/failure.js';
import { nearest } from '../../core/options/nearest.js';
import { studyNames } from '../../evaluation/study/study-of.js';
import type { CliContext } from '../context.js';
import { withRuns } from './with-runs.js';

/** The arguments of commands that name what is kept. */
const NAMING = ['run', 'runs', 'study'];

/**
 * Returns the error; a refusal of a run or study that there is not says then which kept one was meant.
 */
export async function sayingMeant(
  error: unknown,
  { args, registeredArguments }: CommandUnknownOpts,
  context: CliContext,
): Promise<unknown> {
  if (!(error instanceof Failure && error.type === 'UnknownRun')) return error;
  const typed = registeredArguments.flatMap((argument, at) => {
    if (!NAMING.includes(argument.name())) return [];
    return argument.variadic ? args.slice(at) : (args[at] ?? []);
  });
  const list = await withRuns(context, (runs) => runs.list()).catch(() => []);
  const kept = [...list.map(({ run }) => run), ...studyNames(list)];
  const unknown = typed.filter((name) => !kept.includes(name));
  const meant = unknown.flatMap((name) => nearest(name, kept) ?? []);
  if (meant.length === 0) return error;
  error.message += ` Did you mean ${meant.join(', ')}?`;
  return error;
}
