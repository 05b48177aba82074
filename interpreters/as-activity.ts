/** Runs activities as a worker does, in this process and without a server. */
import { asyncLocalStorage, Context, type Info } from '@temporalio/activity';
import type { ActivityCancellationDetails } from '@temporalio/common';

/** What an activity is told of itself. */
export interface ActivityRun {
  /** The name of the activity. */
  type: string;
  /** The same over its attempts. */
  id: string;
  /** Fires when it is cancelled. */
  signal: AbortSignal;
  /** Why it is, where that is known. */
  cancellation?: ActivityCancellationDetails | undefined;
  /** What the attempt before this one left in its heartbeat. */
  details?: unknown;
  /** Told of its heartbeats. */
  beat?(details: unknown): void;
}

/** Runs one attempt of an activity. @throws what the activity throws. */
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
  // What our activities do not use of their context is left out.
  const unused = undefined as never;
  const why = cancellation ? { details: cancellation } : {};
  const context = new Context(info, unused, signal, beat, unused, unused, unused, why);
  return asyncLocalStorage.run(context, activity);
}
