/** The tenants of a worker. */
import { type Tenants, tenantTable } from '../core/tenants.js';
import { readTable } from '../stores/setting-file.js';

const TABLE = {
  setting: 'DURABLE_RAG_TENANTS',
  option: 'tenants',
  of: 'tenant',
  units: 'A weight is a share from 0.1 to 100; budgetUsdPerDay is US dollars a day, by UTC.',
} as const;

/**
 * Returns the terms by tenant: those of a JSON file, with those of one's own on top, as in
 * `{ "acme": { "weight": 2, "budgetUsdPerDay": 20 }, "*": { "budgetUsdPerDay": 1 } }`. Under `*` are
 * the terms of every tenant that is not named.
 *
 * @param file The value of DURABLE_RAG_TENANTS, if set.
 * @param own The option `tenants`, if given.
 * @throws Failure BadInput that names the file or the option, and the field.
 */
export function loadTenants(file?: string, own?: Tenants): Promise<Tenants> {
  return readTable(TABLE, tenantTable, file, own);
}
