/** Hands a planned batch over to the provider: its file, then the batch itself. */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { Failure } from '../../core/failure.js';
import type { BatchStatus } from '../../llm/batch-endpoint.js';
import type { PlanRef } from '../../workflows/activities/provider-batches.js';
import type { Batching } from '../runtime/ports.js';
import type { PlannedBatch } from './pool.js';
import { steadily } from './run-activity.js';

/** The provider's list shows a batch at most this long after it was created. */
const LIST_LAG_MS = 10_000;

/** Uploads the lines; gives the file. Done twice, it costs nothing. */
export function uploadBatch(plan: PlanRef, batching: Batching): Promise<string> {
  const { pool, endpoint } = batching;
  return steadily(async (signal) => {
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
 * Makes the batch, unless the provider has it: an earlier attempt may have made it and died before
 * it could tell.
 */
export function createBatch(
  plan: PlanRef & { file: string },
  batching: Batching,
): Promise<BatchStatus> {
  const { attempt } = Context.current().info;
  const lagMs = attempt > 1 ? LIST_LAG_MS : 0;
  return steadily((signal) => createOnce(plan, { name: randomUUID(), lagMs, signal }, batching));
}

/** An attempt to make a batch. */
export interface Creation {
  name: string;
  /** How far behind the provider's list may be on what the attempts before have done. */
  lagMs: number;
  signal: AbortSignal;
}

/**
 * Makes the batch in the last attempt only. An attempt may stand still for so long that the server
 * begins another one; when it moves again, it makes none. Where it stood still in the request
 * itself, both have made a batch, and it cancels its own.
 *
 * @throws Failure Conflict where another attempt has begun since.
 */
export async function createOnce(
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

/** How long the last attempt may take to have a batch, and the pause between two looks at that. */
const LAST_MS = 60_000;
const LOOK_MS = 500;

/** Cancels a batch, unless the other attempt has taken it over in place of its own. */
async function cancelSecond(
  { pool: name, number }: PlanRef,
  id: string,
  { endpoint, pool }: Pick<Batching, 'endpoint' | 'pool'>,
): Promise<void> {
  for (const until = Date.now() + LAST_MS; Date.now() < until; await sleep(LOOK_MS)) {
    const claim = await pool.claimant(name, number);
    if (claim === claimOf(id)) return;
    // Without a claim the batch of the other attempt is over.
    const isKnown = claim === undefined || claim.startsWith(claimOf(''));
    if (isKnown) return endpoint.cancel(id, AbortSignal.timeout(LAST_MS));
  }
}

/** Stands in the place of the last attempt's name once it has a batch. */
function claimOf(id: string): string {
  return `has ${id}`;
}

/** @throws Failure Unexpected where the store has lost it. */
export async function plannedOf(
  { pool, number }: PlanRef,
  batching: Pick<Batching, 'pool'>,
): Promise<PlannedBatch> {
  const planned = await batching.pool.plans.get(pool, number);
  if (planned) return planned;
  const message = `The store no longer has batch ${number} of ${pool}; its requests begin anew.`;
  throw new Failure('Unexpected', message, { retryable: false });
}
