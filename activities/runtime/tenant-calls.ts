/** Counts the cost of calls by tenant, and refuses those beyond a tenant's daily budget. */
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { dollars } from '../../core/dollars.js';
import { Failure } from '../../core/failure.js';
import {
  dayOf,
  NO_TENANT,
  nextDay,
  type TenantShare,
  type Tenants,
  termsOf,
} from '../../core/tenants.js';
import {
  addCall,
  type CallUsage,
  type EstimatedUsage,
  NO_USAGE,
  type Usage,
  withEstimated,
} from '../../core/usage.js';
import type { TenantAccounts } from '../../stores/tenant-accounts.js';
import type { FailureDetail } from '../../workflows/activities/question.js';

/**
 * Functions that count the cost of tenants' paid calls, and refuse calls of tenants whose daily
 * budget is spent or whose cost is unknown, as `tenantCalls` returns them.
 */
export type TenantCalls = ReturnType<typeof tenantCalls>;

/**
 * Returns functions that add the usage of calls to the accounts of their tenants (`count`,
 * `countLost`, `losses`), refuse calls of tenants whose daily budget is spent, or who have one and
 * a cost that is unknown (`admit`), and return a tenant's weight (`shareOf`). A call without a
 * tenant is counted, but never refused.
 *
 * @param tenants Weight and daily budget by tenant.
 */
export function tenantCalls(accounts: TenantAccounts, tenants: Tenants) {
  /** Adds to the account: at once if a budget depends on it, else with that of other calls. */
  async function add(tenant: string = NO_TENANT, usage: Usage): Promise<void> {
    if (termsOf(tenant, tenants).budgetUsdPerDay === null) accounts.gather(tenant, usage);
    else await accounts.add(tenant, usage);
  }

  /** Adds the usage of a call that was answered to the account. */
  async function count(tenant: string | undefined, usage: CallUsage): Promise<void> {
    await add(tenant, addCall(NO_USAGE, usage));
  }

  /** Adds the estimated cost of a call that failed to the account. */
  async function countLost(
    tenant: string | undefined,
    lost: EstimatedUsage | undefined,
  ): Promise<void> {
    if (lost) await add(tenant, withEstimated(NO_USAGE, lost));
  }

  return {
    count,
    countLost,
    /**
     * Returns a tenant's name and weight, by which its questions share the calls.
     *
     * @param runs Number of runs among which the tenant's weight is divided.
     */
    shareOf(tenant: string, runs = 1): TenantShare {
      return { name: tenant, weight: termsOf(tenant, tenants).weight / Math.max(runs, 1) };
    },
    /**
     * Checks before a call is paid for that the tenant's budget of the day is not spent. Answers from
     * the cache are not checked.
     *
     * @param mostUsd Highest cost of the call; null if the price of its model is unknown.
     * @throws Failure TenantBudget if the tenant's budget of the day is spent, or its cost is unknown.
     */
    async admit(tenant: string | undefined, mostUsd: number | null): Promise<void> {
      if (tenant === undefined) return;
      const { budgetUsdPerDay } = termsOf(tenant, tenants);
      if (budgetUsdPerDay === null) return;
      if (budgetUsdPerDay === 0) {
        throw new Failure('TenantBudget', `The tenant ${tenant} may spend nothing: its ${OF_ZERO}`);
      }
      const may = `The tenant ${tenant} may spend ${dollars(budgetUsdPerDay)} a day (budgetUsdPerDay)`;
      if (mostUsd === null) {
        throw new Failure('TenantBudget', `${may}, and ${NO_PRICE}`);
      }
      const { costUsd } = await accounts.today(tenant);
      const now = accounts.now();
      if (costUsd === null) {
        throw new Failure('TenantBudget', `${may}, and ${UNCOUNTED}`);
      }
      if (costUsd < budgetUsdPerDay) return;
      const spent = `its calls of ${dayOf(now)} have cost ${dollars(costUsd)}`;
      throw new Failure(
        'TenantBudget',
        `${may}, and ${spent}. The next day begins at ${nextDay(now)}.`,
      );
    },
    /** Makes a call, and counts its estimated cost if it fails for good or is cancelled. */
    async losses<T>(tenant: string | undefined, call: () => Promise<T>): Promise<T> {
      try {
        return await call();
      } catch (error) {
        // An error of the accounts must not hide why the call failed.
        await countLost(tenant, lostIn(error)).catch(() => {});
        throw error;
      }
    },
  };
}

const OF_ZERO =
  'budgetUsdPerDay is 0. Give it a larger one in the file that DURABLE_RAG_TENANTS names; responses in the cache are served without it.';
const NO_PRICE =
  'the price of the model is unknown: add it to the file that DURABLE_RAG_PRICES names.';
const UNCOUNTED =
  'the cost of its calls of today is unknown, since a provider reported no tokens: ask without a budget, or another model.';

/** Returns the estimated cost of a failed call; undefined if it is tried again. */
function lostIn(error: unknown): EstimatedUsage | undefined {
  const isOver =
    error instanceof CancelledFailure ||
    (error instanceof ApplicationFailure && error.nonRetryable === true);
  const [detail] = isOver ? (error.details ?? []) : [];
  return (detail as FailureDetail | undefined)?.estimated;
}
