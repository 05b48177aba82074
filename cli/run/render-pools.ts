import type { PoolProgress } from '../../client/list-pools.js';
import { plural } from '../../evaluation/runs/numbers.js';
import { printable } from '../../report/views/printable.js';
import { expectedEnd } from '../../workflows/provider-batches/collector.js';

/** A line for what waits for a batch of a model, and one for each batch that is under way. */
export function renderPools(pools: readonly PoolProgress[], now: number): string[] {
  return pools.flatMap((pool) => [
    `batches of ${printable(pool.model)}: ${waits(pool, now)}${over(pool)}`,
    ...pool.open.map((batch) => {
      const { id, requests, madeAt } = batch;
      const ends = expectedEnd(batch, pool.tookSeconds);
      const since = madeAt === undefined ? 'is being made' : `since ${span(now - madeAt)}`;
      return `  ${printable(id ?? 'the next')}: ${plural(requests, 'request')}, ${since}${expected(ends, now)}`;
    }),
  ]);
}

function waits({ waiting, waitingSince }: PoolProgress, now: number): string {
  if (waiting === null) return 'what waits is not known';
  if (waiting === 0 || waitingSince === null) return 'nothing waits';
  return `${plural(waiting, 'request')} wait for one, the first since ${span(now - waitingSince)}`;
}

function over({ ended, requests }: PoolProgress): string {
  return ended === 0
    ? ''
    : `; ${plural(requests, 'request')} in ${plural(ended, 'batch', 'batches')} are over`;
}

/** By the median of those that are over. */
function expected(ends: number | null, now: number): string {
  if (ends === null) return '';
  return ends <= now ? ', longer than most' : `, expected in ${span(ends - now)}`;
}

function span(ms: number): string {
  const minutes = ms / 60_000;
  if (minutes < 1.5) return `${Math.max(0, Math.round(ms / 1000))} s`;
  return minutes < 90 ? `${Math.round(minutes)} min` : `${(minutes / 60).toFixed(1)} h`;
}
