/** Names of tenants, their weights and budgets, and the UTC days of their accounts. Pure. */
import { z } from 'zod';
import { between } from './options/ranges.js';

/**
 * Pattern of a tenant's name, which becomes part of Temporal's fairness keys and queries, and of
 * keys of the store.
 */
const TENANT = /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/;

/** The name, an empty text, under which calls without a tenant are accounted. */
export const NO_TENANT = '';

const RULE =
  'must be letters, digits, ".", "_" or "-", at most 60 of them, the first a letter or a digit';

/**
 * Schema of a tenant's name: letters, digits, ".", "_" and "-", at most 60, the first a letter or
 * a digit.
 */
export const tenantName = z.string().regex(TENANT, { error: RULE });

/** Name in a table of tenants for all those that it does not name. */
const OTHERS = '*';

const terms = z.strictObject({
  weight: between(0.1, 100).optional(),
  budgetUsdPerDay: z.number().min(0).optional(),
});

/** The share and the budget of a tenant. */
interface TenantTerms {
  /** Its share of the calls under a rate limit, relative to other tenants. @default 1 */
  weight?: number | undefined;
  /** Maximum that its calls may cost a day (UTC), in US dollars. @default no budget */
  budgetUsdPerDay?: number | undefined;
}

/**
 * Schema of a table of weights and budgets (US dollars per UTC day) by tenant name; `*` stands for
 * all tenants that are not named.
 */
export const tenantTable: z.ZodType<Record<string, TenantTerms>> = z
  .record(z.string(), terms)
  .superRefine((table, { addIssue }) => {
    const wrong = Object.keys(table).filter((name) => name !== OTHERS && !TENANT.test(name));
    const message = `is no name of a tenant, which ${RULE}`;
    for (const name of wrong) addIssue({ code: 'custom', path: [name], message });
  });

/**
 * Weights and budgets (US dollars per UTC day) by tenant name; those under `*` apply to all
 * tenants that are not named.
 */
export type Tenants = Readonly<Record<string, TenantTerms>>;

/**
 * A tenant with its weight: its share of the calls under a rate limit, relative to the weights of
 * other tenants.
 */
export interface TenantShare {
  name: string;
  weight: number;
}

/**
 * Returns the `weight` of a tenant (default 1), and its budget per UTC day in US dollars
 * (`budgetUsdPerDay`, null without one): its own, or else those under `*`. `NO_TENANT` never has
 * those under `*`.
 */
export function termsOf(
  tenant: string,
  tenants: Tenants,
): { weight: number; budgetUsdPerDay: number | null } {
  const other = tenant === NO_TENANT ? undefined : tenants[OTHERS];
  const own = Object.hasOwn(tenants, tenant) ? tenants[tenant] : other;
  return { weight: own?.weight ?? 1, budgetUsdPerDay: own?.budgetUsdPerDay ?? null };
}

/**
 * Returns the UTC date of a time, such as "2026-11-27".
 *
 * @param ms Milliseconds since 1970.
 */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/**
 * Returns the start of the next UTC day, such as "2026-11-28T00:00:00Z".
 *
 * @param ms Milliseconds since 1970.
 */
export function nextDay(ms: number): string {
  return `${dayOf(ms + 86_400_000)}T00:00:00Z`;
}
