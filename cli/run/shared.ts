/** What the runs of a task queue share: its workers, the limits of its model calls, its batches of calls. */
import type { DurableRagClient } from '../../client/create-client.js';
import type { QueueLimit } from '../../client/queue-limits.js';
import { renderWaiting } from '../deploy/render-deployment.js';
import { renderLimits } from './render-limits.js';
import { renderPools } from './render-pools.js';
import { renderStuckPools } from './render-stuck.js';

export interface Shared {
  limits: QueueLimit[];
  /** All of it, for people. */
  lines: string[];
}

export const nothingShared: Shared = { limits: [], lines: [] };

/** Nothing where the server does not tell. */
export async function sharedBy(
  client:
    | Pick<DurableRagClient, 'limits' | 'listPools' | 'stuckPools' | 'describeDeployment'>
    | undefined,
): Promise<Shared> {
  if (!client) return nothingShared;
  const [limits, pools, stuck, deployment] = await Promise.all([
    client.limits().catch(() => []),
    client.listPools().catch(() => []),
    client.stuckPools().catch(() => []),
    client.describeDeployment().catch(() => undefined),
  ]);
  const lines = [
    deployment ? renderWaiting(deployment) : [],
    renderLimits(limits),
    renderPools(pools, Date.now()),
    renderStuckPools(stuck),
  ];
  return { limits, lines: lines.flat() };
}
