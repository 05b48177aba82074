/** Ends and keeps alive activities that have given their slot back, as the Temporal server lets us. */
import {
  ActivityCancelledError,
  ActivityNotFoundError,
  Client,
  type ClientOptions,
  type ConnectionLike,
  isGrpcServiceError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import type {
  ActivityRef,
  CollectorRef,
  WaitingActivities,
  WaitingActivity,
} from '../activities/runtime/server-ports.js';
import { CALL_HEARTBEAT_SECONDS } from '../methods/call-defaults.js';
import { Failure } from '../methods/failure.js';
import { callOf } from './observe/measure.js';
import { measure } from './observe/metrics.js';
import { outputOf } from './observe/observation.js';

/** How often a process looks that a collector runs that it has seen running. */
const ENSURED_MS = 10_000;

/** Codes of gRPC; the client package re-exports none. */
const NOT_FOUND = 5;
const PERMISSION_DENIED = 7;
const UNIMPLEMENTED = 12;

/**
 * @param taskQueue Of the workflows.
 * @param converter As the workers encode results.
 */
export function waitingActivities(
  connection: ConnectionLike,
  namespace: string,
  taskQueue: string,
  converter: Pick<ClientOptions, 'dataConverter'> = {},
): WaitingActivities {
  const { activity, workflow, workflowService } = new Client({
    ...{ connection, namespace, ...converter },
  });
  const ensured = new Map<string, number>();
  const named = ({ workflowId, runId, activityId }: ActivityRef) => ({
    ...{ workflowId, runId, activityId },
  });

  async function hold(
    { workflowId, runId, activityId }: ActivityRef,
    heartbeatSeconds: number,
  ): Promise<boolean> {
    try {
      await workflowService.updateActivityOptions({
        ...{ namespace, execution: { workflowId, runId }, id: activityId },
        activityOptions: { heartbeatTimeout: msToTs(heartbeatSeconds * 1000) },
        updateMask: { paths: ['heartbeat_timeout'] },
      });
    } catch (error) {
      const code = isGrpcServiceError(error) ? error.code : undefined;
      if (code === UNIMPLEMENTED || code === PERMISSION_DENIED) return false;
      // It has ended, or is cancelled.
      if (code !== NOT_FOUND) throw told(error);
    }
    return true;
  }

  return {
    hold,
    async complete(ref, output) {
      await unlessGone(activity.complete(named(ref), output));
      count(ref, output);
    },
    async fail(ref, failure) {
      const isLast = failure instanceof ApplicationFailure && failure.nonRetryable === true;
      if (!isLast) await hold(ref, CALL_HEARTBEAT_SECONDS);
      await unlessGone(activity.fail(named(ref), failure));
    },
    async beat(ref) {
      try {
        await activity.heartbeat(named(ref));
        return true;
      } catch (error) {
        if (error instanceof ActivityNotFoundError) return false;
        if (!(error instanceof ActivityCancelledError)) throw told(error);
        await unlessGone(activity.reportCancellation(named(ref)));
        return false;
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
          throw told(error);
        });
      ensured.set(pool, Date.now());
    },
  };
}

/** No activity ends with it that could be observed. */
function count({ step, method = '', call: { model } }: WaitingActivity, output: unknown): void {
  const { usage } = outputOf(output) ?? {};
  for (const one of usage ? callOf(usage, { method, step, model }) : []) measure(one);
}

async function unlessGone(ending: Promise<void>): Promise<void> {
  try {
    await ending;
  } catch (error) {
    if (!(error instanceof ActivityNotFoundError)) throw told(error);
  }
}

function told(cause: unknown): Failure {
  const why = cause instanceof Error ? `${cause.message} ${causeOf(cause)}` : String(cause);
  return new Failure('Connection', `The Temporal server did not answer: ${why}`, { cause });
}

function causeOf({ cause }: Error): string {
  return cause instanceof Error ? cause.message : '';
}
