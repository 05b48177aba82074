/** What the runs of a task queue share: the limits of its model calls, and its batches of calls. */
import type { DurableRagClient } from '../../create-client.js';
import type { QueueLimit } from '../../queue-limits.js';
import { renderLimits } from './render-limits.js';
import { renderPools } from './render-pools.js';
import { renderStuckPools } from './render-stuck.js';

export interface Shared {
  limits: QueueLimit[];
  /** Both, for people. */
  lines: string[];
}

export const nothingShared: Shared = { limits: [], lines: [] };

/** Nothing where the server does not tell. */
export async function sharedBy(
  client: Pick<DurableRagClient, 'limits' | 'listPools' | 'stuckPools'> | undefined,
): Promise<Shared> {
  if (!client) return nothingShared;
  const [limits, pools, stuck] = await Promise.all([
    client.limits().catch(() => []),
    client.listPools().catch(() => []),
    client.stuckPools().catch(() => []),
  ]);
  const lines = [renderLimits(limits), renderPools(pools, Date.now()), renderStuckPools(stuck)];
  return { limits, lines: lines.flat() };
}
