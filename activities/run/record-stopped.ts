import type { RunStore, StoppedUsage } from '../../stores/runs/run-store.js';
import { manifestOf } from './run-of.js';

/**
 * Writes it into the manifest; the same for the same start of the run, however often it is written.
 *
 * @throws Failure BadInput where there is no such run.
 */
export async function recordStopped(
  run: string,
  stopped: StoppedUsage,
  runs: RunStore,
): Promise<void> {
  const manifest = await manifestOf(run, runs);
  const others = (manifest.stopped ?? []).filter(
    ({ startedAt }) => startedAt !== stopped.startedAt,
  );
  await runs.change(run, () => ({ ...manifest, stopped: [...others, stopped] }));
}
