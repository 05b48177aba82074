/** The limits of a task queue's model calls, and who set them. */
import { type Client, WithStartWorkflowOperation } from '@temporalio/client';
import { checkSettings } from '../core/run/run-settings.js';
import type { queueLimits as workflow } from '../workflows/queue/keep-limits.js';
import {
  type LimitRequest,
  type LimitsInForce,
  limitsWorkflowId,
  RATES,
  type Rate,
  type Rates,
} from '../workflows/queue/limits.js';
import { modelQueue } from '../workflows/queue/task-queues.js';
import { runOf } from '../workflows/run/run-name.js';
import { summaryLine } from '../workflows/summary-line.js';
import { descriptionOf } from './job.js';
import { queueRates } from './queue-rates.js';

/**
 * A limit in force for all model calls of a task queue: requests or tokens per minute, with the
 * run that set it and the time.
 */
export interface QueueLimit {
  rate: Rate;
  /** Limit per minute, in the unit of the rate. */
  perMinute: number;
  /** Run that set it, at whose end it is withdrawn; null if it was set for the queue. */
  run: string | null;
  /** Time at which it was set; null if it was set directly on the Temporal server. */
  since: Date | null;
}

/**
 * Returns the limits per minute (requests, tokens) in force for the model calls of a task queue.
 * Reads them from the Temporal server, without a worker.
 */
export async function listLimits(client: Client, taskQueue: string): Promise<QueueLimit[]> {
  const [asked, perMinute] = await Promise.all([
    askedLimits(client, taskQueue),
    queueRates(client).get(modelQueue(taskQueue)),
  ]);
  const { requestsPerMinute, ...others } = asked;
  const isOurs = requestsPerMinute !== undefined && isAbout(requestsPerMinute.perMinute, perMinute);
  const requests: LimitsInForce = isOurs ? { requestsPerMinute } : {};
  const limits = RATES.flatMap((rate) => {
    const limit = { ...others, ...requests }[rate];
    return limit ? [queueLimitOf(rate, limit)] : [];
  });
  if (isOurs || perMinute === null) return limits;
  return [{ rate: 'requestsPerMinute', perMinute, run: null, since: null }, ...limits];
}

/**
 * Sets rate limits for the model calls of a task queue, and returns all limits in force. A limit
 * stays in force until null withdraws it; a run that sets its own replaces it while it runs.
 *
 * @param rates Limits per minute, by rate; rates that are left out stay as they are.
 * @throws Failure BadInput naming the rate that is wrong.
 */
export async function setLimits(
  client: Client,
  taskQueue: string,
  rates: Partial<Rates>,
): Promise<QueueLimit[]> {
  checkSettings(rates);
  await requestLimits(client, taskQueue, { owner: null, rates });
  return listLimits(client, taskQueue);
}

/**
 * Sets or withdraws rate limits of a task queue's model calls, by an update of the workflow that
 * stores them, and returns the limits in force, by the name of the rate (such as
 * "requestsPerMinute"). Starts the workflow if it is not running; a worker must run to apply the
 * update.
 *
 * @param taskQueue Queue of the workflows, not that of the model calls.
 * @param asking Who sets the limits, and the limits per minute by rate; null withdraws one.
 */
export function requestLimits(
  client: Client,
  taskQueue: string,
  asking: LimitRequest,
): Promise<LimitsInForce> {
  const startWorkflowOperation = new WithStartWorkflowOperation<typeof workflow>('queueLimits', {
    workflowId: limitsWorkflowId(taskQueue),
    taskQueue,
    args: [],
    staticSummary: summaryLine(`limits of the model calls of ${taskQueue}`),
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
  return client.workflow.executeUpdateWithStart<typeof workflow, LimitsInForce, [LimitRequest]>(
    'ask',
    {
      args: [asking],
      startWorkflowOperation,
    },
  );
}

/** Returns the limits that the queue's workflow stores, by rate. */
async function askedLimits(client: Client, taskQueue: string): Promise<LimitsInForce> {
  const found = await descriptionOf(client.workflow.getHandle(limitsWorkflowId(taskQueue)));
  return found?.status.name === 'RUNNING' ? ((found.memo?.limits ?? {}) as LimitsInForce) : {};
}

/** Returns whether two rates are equal within the precision of the server's 32-bit numbers. */
function isAbout(asked: number, there: number | null): boolean {
  return there !== null && Math.abs(there - asked) <= asked * 1e-5;
}

function queueLimitOf(
  rate: Rate,
  { perMinute, owner, since }: NonNullable<LimitsInForce[Rate]>,
): QueueLimit {
  return { rate, perMinute, run: owner === null ? null : runOf(owner), since: new Date(since) };
}
