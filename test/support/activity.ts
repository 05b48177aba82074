/** An activity as a worker runs it, without a server: its context, its heartbeats, its attempts. */
import { ActivityCancellationDetails, type ApplicationFailure } from '@temporalio/common';
import { runAsActivity } from '../../interpreters/scripted.js';

export interface Attempt<T> {
  value?: T;
  failure?: ApplicationFailure;
  /** What the last heartbeat carried, for the attempt after this one. */
  details: unknown;
}

export interface AttemptOptions {
  /** Names the activity, the same over its attempts. */
  id?: string;
  /** What the attempt before this one left in its heartbeat. */
  details?: unknown;
  /** Fires when the activity is cancelled. */
  signal?: AbortSignal;
  /** Why it is, where the server says so. */
  cancellation?: ConstructorParameters<typeof ActivityCancellationDetails>[0];
  /** The name of the activity. @default 'read' */
  step?: string;
}

/** One attempt of an activity. */
export async function attempt<T>(
  activity: () => Promise<T>,
  { id = 'activity', step = 'read', details, signal = never(), cancellation }: AttemptOptions = {},
): Promise<Attempt<T>> {
  let last = details;
  const run = {
    type: step,
    id,
    signal,
    details,
    cancellation: cancellation && new ActivityCancellationDetails(cancellation),
    beat(beaten: unknown) {
      last = structuredClone(beaten);
    },
  };
  try {
    return { value: await runAsActivity(run, activity), details: last };
  } catch (failure) {
    return { failure: failure as ApplicationFailure, details: last };
  }
}

/** Attempts until one succeeds, without the waits between them. */
export async function attempts<T>(
  activity: () => Promise<T>,
  most: number,
): Promise<Attempt<T> & { times: number }> {
  let one: Attempt<T> = { details: undefined };
  for (let times = 1; ; times++) {
    one = await attempt(activity, { details: one.details });
    if (!one.failure || one.failure.nonRetryable || times === most) return { ...one, times };
  }
}

const never = (): AbortSignal => new AbortController().signal;
