/** `advise`: builds a tune for cheaper models from flags. */
import type { TuneInput } from '../../core/tune/tune.js';
import type { CliContext } from '../context.js';
import { type CheckedTune, checkedTune } from './tune-file.js';

/** Flags of `advise`. */
interface AdviseFlags {
  models: readonly string[];
  /** Maximum number of percentage points of the metric that may be lost. */
  margin: number;
  budgetUsd?: number | undefined;
  metric?: string | undefined;
  name?: string | undefined;
}

/**
 * Returns the tune that `advise` runs, in the form of one that was read from a file: it tries each
 * of the models at each step of a stored run, for a lower cost.
 *
 * @param run Name of the stored run.
 * @throws Failure BadInput naming every field that is wrong.
 */
export function adviceAsTune(
  run: string,
  { models, name = `${run}-advice`, margin, ...more }: AdviseFlags,
  context: CliContext,
): CheckedTune {
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
  return checkedTune(input, '.', context);
}
