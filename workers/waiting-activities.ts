/** Keeps activities that gave up their slot alive through the Temporal server, and completes them. */
import {
  ActivityCancelledError,
  ActivityNotFoundError,
  type Client,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import type {
  ActivityRef,
  CollectorRef,
  WaitingActivities,
  WaitingActivity,
} from '../activities/runtime/ports.js';
import { GRPC, grpcCode } from '../client/grpc-code.js';
import { CALL_HEARTBEAT_SECONDS } from '../core/call-defaults.js';
import { Failure, innermostMessage } from '../core/failure.js';
import { POOLED_SIGNAL } from '../core/provider-batches.js';
import { placeOf } from '../workflows/run/run-name.js';
import { callSpans } from './observe/call-spans.js';
import { callMeasurements } from './observe/measure.js';
import { measure } from './observe/meter.js';
import { callOutput, type Observation, usageAndTier } from './observe/observation.js';

/** Time in milliseconds before this process checks again whether a collector is running. */
const ENSURED_MS = 10_000;

/**
 * Half of the shortest heartbeat timeout: an attempt that has just sent a heartbeat is running for
 * at least this long.
 */
const RUNNING_MS = (CALL_HEARTBEAT_SECONDS * 1000) / 2;

/**
 * gRPC codes after which the timeouts are unchanged: DEADLINE_EXCEEDED, PERMISSION_DENIED,
 * UNIMPLEMENTED.
 */
const UNCHANGED = new Set([4, 7, 12]);

/**
 * Returns functions that work through the Temporal server on activities that wait outside a worker
 * for a batch's answer: they send heartbeats, complete or fail an activity, tell its run the
 * expected cost in US dollars, and start the workflow that collects batches. `span` returns the
 * trace headers of the current attempt.
 *
 * @param taskQueue Queue of the workflows.
 * @param provider Provider of the language model whose batches complete them.
 */
export function waitingActivities(
  client: Client,
  taskQueue: string,
  provider: string,
): WaitingActivities {
  const { activity, workflow, workflowService } = client;
  const { namespace } = client.options;
  const ensured = new Map<string, number>();
  const named = ({ workflowId, runId, activityId }: ActivityRef) => ({
    workflowId,
    runId,
    activityId,
  });

  /**
   * Sends a heartbeat for an activity, which restarts its timeout, and returns its state.
   */
  async function sendHeartbeat(ref: ActivityRef): Promise<'underWay' | 'cancelled' | 'gone'> {
    try {
      await activity.heartbeat(named(ref));
      return 'underWay';
    } catch (error) {
      if (error instanceof ActivityNotFoundError) return 'gone';
      if (error instanceof ActivityCancelledError) return 'cancelled';
      throw connectionFailure(error);
    }
  }

  async function extendHeartbeat(ref: ActivityRef, heartbeatSeconds: number): Promise<boolean> {
    const { workflowId, runId, activityId } = ref;
    // The options of a timed-out attempt must not be changed: Temporal 1.32 would fail an activity
    // that waits for its next attempt with a ScheduleToStart timeout, for good.
    const until = Date.now() + RUNNING_MS;
    if ((await sendHeartbeat(ref)) === 'gone') return true;
    if (Date.now() >= until) return false;
    const change = {
      namespace,
      execution: { workflowId, runId },
      id: activityId,
      activityOptions: { heartbeatTimeout: msToTs(heartbeatSeconds * 1000) },
      updateMask: { paths: ['heartbeat_timeout'] },
    };
    try {
      await client.withDeadline(until, () => workflowService.updateActivityOptions(change));
    } catch (error) {
      const code = grpcCode(error);
      // It has ended or is cancelled.
      if (code === GRPC.notFound) return true;
      if (code !== undefined && UNCHANGED.has(code)) return false;
      throw connectionFailure(error);
    }
    return true;
  }

  return {
    extendHeartbeat,
    async complete(ref, output) {
      await unlessGone(activity.complete(named(ref), output));
      recordAnswered(ref, output, provider);
    },
    async fail(ref, failure) {
      const isLast = failure instanceof ApplicationFailure && failure.nonRetryable === true;
      if (!isLast) await extendHeartbeat(ref, CALL_HEARTBEAT_SECONDS);
      await unlessGone(activity.fail(named(ref), failure));
    },
    async beat(ref) {
      const state = await sendHeartbeat(ref);
      if (state === 'cancelled') await unlessGone(activity.reportCancellation(named(ref)));
      return state === 'underWay';
    },
    span: () => callSpans()?.currentHeaders(),
    async expect(run, costUsd) {
      try {
        await workflow.getHandle(run).signal(POOLED_SIGNAL, costUsd);
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw connectionFailure(error);
      }
    },
    async collect({ pool, model }: CollectorRef) {
      if (Date.now() - (ensured.get(pool) ?? 0) < ENSURED_MS) return;
      await workflow
        .start('collectBatches', {
          workflowId: `batches/${taskQueue}/${pool}`,
          taskQueue,
          args: [{ pool, model }],
          staticSummary: `Batches of ${model}`.slice(0, 200),
          workflowIdConflictPolicy: 'USE_EXISTING',
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        })
        .catch((error: unknown) => {
          throw connectionFailure(error);
        });
      ensured.set(pool, Date.now());
    },
  };
}

/** Records the metrics and the span of an answer, since no attempt of the activity ends with it. */
function recordAnswered(waiting: WaitingActivity, output: unknown, provider: string): void {
  const took = callOutput(output, waiting.call.model);
  if (!took) return;
  const { workflowId, step, method = '', attempt = 1, since, span } = waiting;
  const call = { method, step, model: waiting.call.model };
  for (const one of callMeasurements(took.usage, call)) measure(one);
  if (span === undefined) return;
  const seconds = (Date.now() - since) / 1000;
  const answered: Observation = {
    ...call,
    ...placeOf(workflowId),
    attempt,
    seconds,
    end: 'answered',
    served: took.model,
    finish: took.end,
    ...usageAndTier(took),
  };
  const request = { operation: 'chat', provider, model: call.model } as const;
  callSpans()?.record(span, request, answered, since);
}

/** Waits for the end of an activity to be reported; ignores that the activity no longer exists. */
async function unlessGone(ending: Promise<void>): Promise<void> {
  try {
    await ending;
  } catch (error) {
    if (!(error instanceof ActivityNotFoundError)) throw connectionFailure(error);
  }
}

function connectionFailure(cause: unknown): Failure {
  const why = innermostMessage(cause);
  return new Failure('Connection', `The Temporal server did not answer: ${why}`, { cause });
}
