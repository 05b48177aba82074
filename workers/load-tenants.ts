/** Loads the table of tenants. */
import { type Tenants, tenantTable } from '../core/tenants.js';
import { readSettingTable } from '../stores/setting-file.js';

const TABLE = {
  setting: 'DURABLE_RAG_TENANTS',
  option: 'tenants',
  of: 'tenant',
  units: 'A weight is a share from 0.1 to 100; budgetUsdPerDay is US dollars a day, by UTC.',
} as const;

/**
 * Returns the weight (its share of the calls under a rate limit) and the daily budget in US
 * dollars of each tenant, by name. The entry `*` applies to each tenant that is not named,
 * separately, and is not a default for named ones. If the file and the option both name a tenant,
 * only the option's entry counts.
 *
 * @param file Path of a JSON file, the value of DURABLE_RAG_TENANTS; undefined if it is not set.
 * Its content is like `{ "acme": { "weight": 2, "budgetUsdPerDay": 20 }, "*": { "budgetUsdPerDay":
 * 1 } }`.
 * @param own The option `tenants`; undefined if it is not given.
 * @throws Failure BadInput that names the file or the option, and the field.
 */
export function loadTenants(file?: string, own?: Tenants): Promise<Tenants> {
  return readSettingTable(TABLE, tenantTable, file, own);
}
