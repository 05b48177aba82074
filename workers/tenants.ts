/** The tenants of a worker. */
import { type Tenants, tenantTable } from '../core/tenants.js';
import { readSettingTable } from '../stores/setting-file.js';

const TABLE = {
  setting: 'DURABLE_RAG_TENANTS',
  option: 'tenants',
  of: 'tenant',
  units: 'A weight is a share from 0.1 to 100; budgetUsdPerDay is US dollars a day, by UTC.',
} as const;

/**
 * Returns the terms by tenant, as in
 * `{ "acme": { "weight": 2, "budgetUsdPerDay": 20 }, "*": { "budgetUsdPerDay": 1 } }`. The terms
 * under `*` are those of every tenant that is not named; a named tenant takes nothing from them. If
 * the file and the option both name a tenant, only the option's terms of it count.
 *
 * @param file Path of a JSON file, the value of DURABLE_RAG_TENANTS; undefined if it is not set.
 * @param own The option `tenants`; undefined if it is not given.
 * @throws Failure BadInput that names the file or the option, and the field.
 */
export function loadTenants(file?: string, own?: Tenants): Promise<Tenants> {
  return readSettingTable(TABLE, tenantTable, file, own);
}
