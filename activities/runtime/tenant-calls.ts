/** Calls on behalf of tenants: each is counted, and none is paid for beyond the budget of a day. */
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { dollars } from '../../core/dollars.js';
import { Failure } from '../../core/failure.js';
import { dayOf, nextDay, type TenantShare, type Tenants, termsOf } from '../../core/tenants.js';
import {
  addCall,
  type CallUsage,
  type Estimated,
  noUsage,
  withEstimated,
} from '../../core/usage.js';
import type { TenantAccounts } from '../../stores/tenant-accounts.js';
import type { FailureDetail } from '../../workflows/activities/question.js';

export type TenantCalls = ReturnType<typeof tenantCalls>;

/** @param tenants The terms by tenant. */
export function tenantCalls(accounts: TenantAccounts, tenants: Tenants) {
  /** Counts what a call has taken; nothing for a call on nobody's behalf. */
  async function count(tenant: string | undefined, usage: CallUsage): Promise<void> {
    if (tenant !== undefined) await accounts.add(tenant, addCall(noUsage, usage));
  }

  /** Counts what a call may have cost that has failed. */
  async function countLost(tenant: string | undefined, lost: Estimated | undefined): Promise<void> {
    if (tenant !== undefined && lost) await accounts.add(tenant, withEstimated(noUsage, lost));
  }

  return {
    count,
    countLost,
    /**
     * Returns the share of a tenant where calls are shared.
     *
     * @param runs How many runs of the tenant share it; not of questions outside of runs.
     */
    shareOf(tenant: string, runs = 1): TenantShare {
      return { name: tenant, weight: termsOf(tenant, tenants).weight / Math.max(runs, 1) };
    },
    /**
     * Lets a call be paid for. What comes from the cache needs no leave.
     *
     * @param mostUsd The most that the call may cost; null if the price of its model is not known.
     * @throws Failure TenantBudget if the tenant has spent what it may spend a day, or if nobody
     *   knows what it spends.
     */
    async admit(tenant: string | undefined, mostUsd: number | null): Promise<void> {
      if (tenant === undefined) return;
      const { budgetUsdPerDay } = termsOf(tenant, tenants);
      if (budgetUsdPerDay === null) return;
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
    /** Counts what a call may have cost that fails, is not tried again, or is cancelled. */
    async losses<T>(tenant: string | undefined, call: () => Promise<T>): Promise<T> {
      try {
        return await call();
      } catch (error) {
        // What cannot be counted must not hide why the call has failed.
        await countLost(tenant, lostIn(error)).catch(() => {});
        throw error;
      }
    },
  };
}

const NO_PRICE =
  'the price of the model is not known: put it into the file that DURABLE_RAG_PRICES names.';
const UNCOUNTED =
  'what its calls of today have cost is not known, since a provider has told no tokens: ask without a budget, or another model.';

/** Returns what the attempts of a call may have cost; undefined if it is tried again. */
function lostIn(error: unknown): Estimated | undefined {
  const isOver =
    error instanceof CancelledFailure ||
    (error instanceof ApplicationFailure && error.nonRetryable === true);
  const [detail] = isOver ? (error.details ?? []) : [];
  return (detail as FailureDetail | undefined)?.estimated;
}
