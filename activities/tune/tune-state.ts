/** Derives the state of a tune from its plan and the answers of its runs. */
import type { TunePlan } from '../../core/tune/tune-runs.js';
import { type HalfAResults, halfAResults, startOnHalfA } from './half-a.js';
import { type Confirmation, confirmationOf } from './half-b.js';
import { type OpenedTune, openedTune, type TunePorts, type TuneProgress } from './opened-tune.js';

/** A tune with the results of its search and of its confirmation, as far as there are any. */
export interface TuneState extends OpenedTune {
  /**
   * Undefined until the start has answered half A; if no workflow tells its progress, until the
   * start's run has begun.
   */
  searched?: HalfAResults;
  /** Undefined until the search has ended with finalists. */
  confirmation?: Confirmation | undefined;
}

/**
 * Returns a tune with the results of its search (`searched`) and of its confirmation
 * (`confirmation`), each absent as long as there are none, read from its runs.
 *
 * @throws The failures of `openedTune`, `startOnHalfA` and `singleCandidates`.
 */
export async function tuneState(
  given: TunePlan,
  ports: TunePorts,
  { failed = given.failed ?? [], ...more }: TuneProgress = {},
): Promise<TuneState> {
  const progress = { ...more, failed };
  const plan = { ...given, ...(failed.length > 0 && { failed }) };
  const opened = await openedTune(plan, ports);
  const start = await startOnHalfA(opened, ports, progress);
  if (!start) return opened;
  const searched = await halfAResults(opened, start, ports, progress);
  const { next, finalists } = searched.search;
  if (next !== null || finalists.length === 0) return { ...opened, searched };
  const confirmation = await confirmationOf(opened, searched, start.answers, ports, progress);
  return { ...opened, searched, confirmation };
}
