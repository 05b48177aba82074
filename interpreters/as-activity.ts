/** Runs activities as a worker does, in this process and without a server. */
import { asyncLocalStorage, Context, type Info } from '@temporalio/activity';
import type { ActivityCancellationDetails } from '@temporalio/common';

/** The context in which an activity runs. */
export interface ActivityRun {
  /** The name of the activity. */
  type: string;
  /** Its id, the same over its attempts. */
  id: string;
  /** Fires when it is cancelled. */
  signal: AbortSignal;
  /** Reason of the cancellation; undefined if unknown. */
  cancellation?: ActivityCancellationDetails | undefined;
  /** Last heartbeat of the previous attempt. */
  details?: unknown;
  /** Called with each heartbeat. */
  beat?(details: unknown): void;
}

/** Runs one attempt of an activity. @throws Whatever the activity throws. */
export function asActivity<T>(
  { type, id, signal, cancellation, details, beat = () => {} }: ActivityRun,
  activity: () => Promise<T>,
): Promise<T> {
  const info = {
    activityId: id,
    activityType: type,
    attempt: 1,
    workflowExecution: { workflowId: 'workflow', runId: 'run' },
    scheduledTimestampMs: Date.now(),
    heartbeatDetails: details,
  } as Info;
  // Our activities do not use the rest of the context.
  const unused = undefined as never;
  const why = cancellation ? { details: cancellation } : {};
  const context = new Context(info, unused, signal, beat, unused, unused, unused, why);
  return asyncLocalStorage.run(context, activity);
}
