import type { TenantShare } from '../../core/tenants.js';
import type { Ports } from './ports.js';

/**
 * Returns a tenant's name and weight, by which its questions share the model calls; undefined
 * without a tenant. For a question of a run, the weight is divided by the number of the tenant's
 * running runs.
 *
 * @param run Undefined for a question outside a run.
 * @param taskQueue Task queue whose runs are counted.
 */
export async function tenantShare(
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
