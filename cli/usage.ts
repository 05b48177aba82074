/** `durable-rag usage`: shows the tokens and cost of calls, by tenant or by day. */

import { dollars } from '../core/dollars.js';
import { Failure } from '../core/failure.js';
import { dayOf, NO_TENANT, type Tenants, termsOf } from '../core/tenants.js';
import { NO_USAGE, paidCalls, type Usage } from '../core/usage.js';
import { table } from '../evaluation/runs/columns.js';
import { count, paidText } from '../evaluation/runs/number-text.js';
import {
  type DayFilter,
  filterDays,
  type TenantDay,
  tenantAccounts,
  usageBy,
} from '../stores/tenant-accounts.js';
import { readConfig } from '../workers/config.js';
import { loadTenants } from '../workers/load-tenants.js';
import { openNamespace, TENANTS_NAMESPACE } from '../workers/store-namespaces.js';
import { closing } from './closing.js';
import type { CliContext } from './context.js';
import type { CommandOutput } from './print-output.js';

/** Flags of `usage`. */
interface UsageAsked extends DayFilter {
  by: 'day' | 'tenant';
}

/**
 * Returns the output of `usage`: as text a table of the tokens and cost of calls, by tenant or by
 * day; as JSON an object with `by`, the days `from` and `to` if given, and `rows`. A row has the
 * name under `tenant` (null for calls without one) or `day`, the calls, tokens and US dollars
 * under `usage`, and for a tenant the cost and budget of this day under `today`.
 *
 * @throws Failure BadInput if the days are in the wrong order.
 */
export async function usage(
  asked: UsageAsked,
  { env, config }: CliContext,
): Promise<CommandOutput> {
  const { by, ...days } = asked;
  if (days.from !== undefined && days.to !== undefined && days.from > days.to) {
    throw new Failure('BadInput', `--from: ${days.from} is after --to, ${days.to}.`);
  }
  const settings = readConfig(env, config);
  const tenants = await loadTenants(settings.tenants, config?.tenants);
  const opened = openNamespace(settings, TENANTS_NAMESPACE, config?.store);
  const all = await closing(opened, (store) => tenantAccounts(store).list());
  const today = dayOf(Date.now());
  const rows = usageBy(by, filterDays(all, days)).map(({ name, usage }) => ({
    [by]: name === NO_TENANT ? null : name,
    usage,
    ...(by === 'tenant' && { today: todayOf(name, today, all, tenants) }),
  }));
  return { value: { by, ...days, rows }, text: describe(by, rows) };
}

/** A tenant's cost and budget of today. */
interface Today {
  day: string;
  /** Cost in US dollars; null if the cost of a call is unknown. */
  costUsd: number | null;
  /** Budget of the day in US dollars; null without one. */
  budgetUsd: number | null;
}

function todayOf(tenant: string, day: string, all: readonly TenantDay[], tenants: Tenants): Today {
  const spent = all.find((one) => one.tenant === tenant && one.day === day)?.usage ?? NO_USAGE;
  const { budgetUsdPerDay } = termsOf(tenant, tenants);
  return { day, costUsd: spent.costUsd, budgetUsd: budgetUsdPerDay };
}

interface Row {
  [by: string]: unknown;
  usage: Usage;
  today?: Today;
}

function describe(by: UsageAsked['by'], rows: readonly Row[]): string {
  if (rows.length === 0) return 'No calls are recorded for these days.';
  const isToday = by === 'tenant' ? ['today'] : [];
  return table([
    [by, 'paid calls', 'from the cache', 'prompt tokens', 'completion tokens', 'cost', ...isToday],
    ...rows.map(({ [by]: name, usage, today }) => [
      name === null ? 'without a tenant' : String(name),
      count(paidCalls(usage)),
      count(usage.cachedCalls),
      count(usage.promptTokens),
      count(usage.completionTokens),
      paidText(usage),
      ...(today ? [todayText(today)] : []),
    ]),
  ]);
}

function todayText({ costUsd, budgetUsd }: Today): string {
  const spent = costUsd === null ? 'unknown' : dollars(costUsd);
  return budgetUsd === null ? spent : `${spent} of ${dollars(budgetUsd)}`;
}
