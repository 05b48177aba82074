/** Names of tenants, their shares and budgets, and the days of their accounts. Pure. */
import { z } from 'zod';
import { between } from './options/ranges.js';

/** Names stand in fairness keys and queries of Temporal, and in keys of the store. */
const TENANT = /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/;

/** What accounts call the calls that are made for no tenant. */
export const NO_TENANT = '';

const RULE =
  'must be letters, digits, ".", "_" or "-", at most 60 of them, the first a letter or a digit';

export const tenantName = z.string().regex(TENANT, { error: RULE });

/** The name under which a table holds the terms of every tenant that it does not name. */
const OTHERS = '*';

const terms = z.strictObject({
  weight: between(0.1, 100).optional(),
  budgetUsdPerDay: z.number().min(0).optional(),
});

/** The share and the budget of a tenant. */
interface TenantTerms {
  /** Its share of the calls under a limit, beside that of others. @default 1 */
  weight?: number | undefined;
  /** Most that its calls may cost a day (UTC), in US dollars. @default no budget */
  budgetUsdPerDay?: number | undefined;
}

export const tenantTable: z.ZodType<Record<string, TenantTerms>> = z
  .record(z.string(), terms)
  .superRefine((table, { addIssue }) => {
    const wrong = Object.keys(table).filter((name) => name !== OTHERS && !TENANT.test(name));
    const message = `is no name of a tenant, which ${RULE}`;
    for (const name of wrong) addIssue({ code: 'custom', path: [name], message });
  });

/** The terms by tenant; those under `*` are of every other one. */
export type Tenants = Readonly<Record<string, TenantTerms>>;

/** A tenant with its weight among all that share the calls. */
export interface TenantShare {
  name: string;
  weight: number;
}

/** Returns the terms of a tenant: by its name, else those of all others. Without a tenant there are none. */
export function termsOf(
  tenant: string,
  tenants: Tenants,
): { weight: number; budgetUsdPerDay: number | null } {
  const other = tenant === NO_TENANT ? undefined : tenants[OTHERS];
  const own = Object.hasOwn(tenants, tenant) ? tenants[tenant] : other;
  return { weight: own?.weight ?? 1, budgetUsdPerDay: own?.budgetUsdPerDay ?? null };
}

/** Returns the day of a time by UTC, as in "2026-11-27". @param ms Milliseconds since 1970. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Returns when the day after that of a time begins, as in "2026-11-28T00:00:00Z". */
export function nextDay(ms: number): string {
  return `${dayOf(ms + 86_400_000)}T00:00:00Z`;
}
