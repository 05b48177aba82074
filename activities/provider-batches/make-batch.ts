/** Uploads the file of a planned batch to the provider, then creates the batch. */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { Failure } from '../../core/failure.js';
import type { BatchStatus } from '../../llm/batch-endpoint.js';
import type { PlanRef } from '../../workflows/activities/provider-batches.js';
import type { Batching } from '../runtime/ports.js';
import type { PlannedBatch } from './pool.js';
import { withHeartbeats } from './run-activity.js';

/** Longest time until the list of the provider shows a new batch, in milliseconds. */
const LIST_LAG_MS = 10_000;

/**
 * Uploads the request lines of a planned batch, and returns the provider's id of the file. A
 * repeated upload costs nothing.
 *
 * @throws ApplicationFailure Unexpected if the store has lost the plan.
 */
export function uploadBatch(plan: PlanRef, batching: Batching): Promise<string> {
  const { pool, endpoint } = batching;
  return withHeartbeats(async (signal) => {
    const { ids, without } = await plannedOf(plan, batching);
    const lines: string[] = [];
    for (const id of ids) {
      const pooled = await pool.requests.get(plan.pool, id);
      if (pooled) lines.push(`${endpoint.line(id, pooled.request, without)}\n`);
    }
    return endpoint.upload(lines.join(''), signal);
  });
}

/**
 * Creates the batch at the provider and returns its status. If an earlier attempt has created it
 * and died before it reported that, returns the status of the existing batch.
 *
 * @throws ApplicationFailure as `createBatchOnce`.
 */
export function createBatch(
  plan: PlanRef & { file: string },
  batching: Batching,
): Promise<BatchStatus> {
  const { attempt } = Context.current().info;
  const lagMs = attempt > 1 ? LIST_LAG_MS : 0;
  return withHeartbeats((signal) =>
    createBatchOnce(plan, { name: randomUUID(), lagMs, signal }, batching),
  );
}

/** An attempt to create a batch. */
interface Creation {
  name: string;
  /** Greatest delay of the provider's list behind earlier attempts, in milliseconds. */
  lagMs: number;
  signal: AbortSignal;
}

/**
 * Returns the status of the batch of a plan: the existing one at the provider, or one created now.
 * Of several attempts that run at the same time, only the latest creates a batch; an earlier one
 * throws, after cancelling the batch that it had created, unless the latest has taken that over.
 *
 * @throws Failure Conflict if a later attempt has begun; Unexpected if the store has lost the
 * plan.
 */
export async function createBatchOnce(
  plan: PlanRef & { file: string },
  attempt: Creation,
  batching: Pick<Batching, 'endpoint' | 'pool'>,
): Promise<BatchStatus> {
  const { endpoint, pool } = batching;
  const { pool: name, number, file } = plan;
  const { mark } = await plannedOf(plan, batching);
  const claimant = () => pool.claimant(name, number);
  const message = `Another attempt makes batch ${number} of ${name}.`;
  const conflict = () => new Failure('Conflict', message, { retryable: true });
  await pool.claim(name, number, attempt.name);
  if (attempt.lagMs > 0) await sleep(attempt.lagMs, undefined, { signal: attempt.signal });
  const there = await endpoint.find(mark, attempt.signal);
  if (!there && (await claimant()) !== attempt.name) throw conflict();
  const status = there ?? (await endpoint.create({ file, mark }, attempt.signal));
  const last = await claimant();
  if (last === claimOf(status.id)) return status;
  if (last !== attempt.name) {
    if (!there) await cancelSecond(plan, status.id, batching);
    throw conflict();
  }
  await pool.claim(name, number, claimOf(status.id));
  return status;
}

/** Longest wait for the batch of the latest attempt, in milliseconds. */
const LAST_MS = 60_000;
const POLL_MS = 500;

/** Cancels a batch, unless the other attempt has adopted it instead of its own. */
async function cancelSecond(
  { pool: name, number }: PlanRef,
  id: string,
  { endpoint, pool }: Pick<Batching, 'endpoint' | 'pool'>,
): Promise<void> {
  for (const until = Date.now() + LAST_MS; Date.now() < until; await sleep(POLL_MS)) {
    const claim = await pool.claimant(name, number);
    if (claim === claimOf(id)) return;
    // Without a claim the other attempt's batch is over.
    const isKnown = claim === undefined || claim.startsWith(claimOf(''));
    if (isKnown) return endpoint.cancel(id, AbortSignal.timeout(LAST_MS));
  }
}

/**
 * Returns the claim that replaces the name of an attempt once its batch exists.
 *
 * @param id Id of the batch.
 */
function claimOf(id: string): string {
  return `has ${id}`;
}

/**
 * Returns the stored plan of a batch.
 *
 * @throws Failure Unexpected if the store has lost it.
 */
export async function plannedOf(
  { pool, number }: PlanRef,
  batching: Pick<Batching, 'pool'>,
): Promise<PlannedBatch> {
  const planned = await batching.pool.plans.get(pool, number);
  if (planned) return planned;
  const message = `The store no longer has batch ${number} of ${pool}; its requests are sent again with later batches.`;
  throw new Failure('Unexpected', message, { retryable: false });
}
