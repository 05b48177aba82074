/** `eval`, `attach` and `retry`: a run is started or joined, and followed until its end. */
import type { BatchProgress } from '../../../methods/batch.js';
import type { Batch } from '../../../methods/batch-input.js';
import type { BatchHandle } from '../../batch.js';
import { Interrupted, untilInterrupted } from '../interrupt.js';
import type { Surroundings } from '../local.js';
import { historyUrl, ownPlace, type Place, runningPlace } from '../place.js';
import { followBatch } from './follow-batch.js';
import { renderProgress } from './render-progress.js';

export interface RunFlags {
  /** Ask the failed questions of a run that has ended once more. */
  again?: boolean;
  /** Start and leave. */
  detach?: boolean | undefined;
}

/**
 * Starts batches one after the other, or joins those that are under way, where Temporal and a
 * worker are running, or on a stack of its own. Ctrl-C leaves: a run on other workers goes on.
 *
 * @returns the process's exit code: 0 when every run has ended and no question failed, 130 when
 *   it was left.
 */
export function runBatches(
  batches: readonly Batch[],
  flags: RunFlags,
  surroundings: Surroundings,
): Promise<number> {
  return withPlace(surroundings, async (place) => {
    let failed = 0;
    for (const batch of batches) {
      const handle = await place.client.startBatch(batch, { again: flags.again ?? false });
      announce(handle, place, surroundings);
      if (flags.detach) continue;
      failed += (await finishBatch(handle, place, surroundings)).outcomes.failed;
    }
    return failed === 0 ? 0 : 1;
  });
}

/** Follows a run that somebody has started. */
export function attach(run: string, surroundings: Surroundings): Promise<number> {
  return withPlace(surroundings, async (place) => {
    const handle = await place.client.getBatch(run);
    announce(handle, place, surroundings);
    const { outcomes } = await finishBatch(handle, place, surroundings);
    return outcomes.failed === 0 ? 0 : 1;
  });
}

async function withPlace(
  surroundings: Surroundings,
  work: (place: Place) => Promise<number>,
): Promise<number> {
  const place = (await runningPlace(surroundings)) ?? (await ownPlace(surroundings));
  try {
    return await work(place);
  } finally {
    await place.close();
  }
}

function announce(
  { run, workflowId }: BatchHandle,
  place: Place,
  { reporter }: Surroundings,
): void {
  const url = historyUrl(place, workflowId);
  reporter.part('Run', url === undefined ? run : `${run}  ${url}`);
}

/** Follows to the end and prints where it ended on standard output. */
async function finishBatch(
  handle: BatchHandle,
  { stack }: Place,
  { signal, reporter }: Surroundings,
): Promise<BatchProgress> {
  const following = followBatch(handle);
  following.catch(() => {});
  try {
    const ended = stack ? Promise.race([following, stack.lost]) : following;
    const progress = await untilInterrupted(ended, signal);
    process.stdout.write(`${renderProgress(progress, undefined).join('\n')}\n`);
    return progress;
  } catch (error) {
    if (error instanceof Interrupted) {
      const { run } = handle;
      const how = stack
        ? `it rests until "durable-rag attach ${run}" starts a worker again`
        : `it goes on; "durable-rag attach ${run}" shows it again`;
      reporter.part('Left', `${run}: ${how}.`);
    }
    throw error;
  }
}
