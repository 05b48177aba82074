/** `advise`: builds a tune for cheaper models from flags. */
import type { TuneInput } from '../../core/tune/tune.js';
import type { CliContext } from '../context.js';
import { type TuneFile, tuneOf } from './tune-file.js';

interface AdviseFlags {
  models: readonly string[];
  /** Most percentage points of the metric that may be lost. */
  margin: number;
  budgetUsd?: number | undefined;
  metric?: string | undefined;
  name?: string | undefined;
}

/**
 * Returns a tune for cheaper models, as it would be read from a file: it tries each of the given
 * models at each step of a run.
 *
 * @throws Failure BadInput naming every field that is wrong.
 */
export function adviceOf(
  run: string,
  { models, name = `${run}-advice`, margin, ...more }: AdviseFlags,
  context: CliContext,
): TuneFile {
  const given = Object.fromEntries(
    Object.entries(more).filter(([, value]) => value !== undefined),
  ) as Pick<TuneInput, 'budgetUsd' | 'metric'>;
  const input: TuneInput = {
    ...given,
    name,
    start: run,
    goal: 'cheaper',
    margin,
    try: { models: [...models] },
  };
  return tuneOf(input, '.', context);
}
