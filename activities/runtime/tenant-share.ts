import type { TenantShare } from '../../core/tenants.js';
import type { Ports } from './ports.js';

/**
 * Returns the share of a tenant; for a question of a run, beside the tenant's other runs under way.
 *
 * @param taskQueue The task queue whose runs share.
 */
export async function shareIn(
  run: unknown,
  tenant: string | undefined,
  { tenants, watch }: Pick<Ports, 'tenants' | 'watch'>,
  taskQueue: string,
): Promise<TenantShare | undefined> {
  if (tenant === undefined) return undefined;
  if (run === undefined) return tenants.shareOf(tenant);
  // A server without our search attributes cannot tell.
  const runs = await watch.runsOf(tenant, taskQueue).catch(() => 1);
  return tenants.shareOf(tenant, runs);
}
