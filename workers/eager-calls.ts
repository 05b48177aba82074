import type { WorkerOptions } from '@temporalio/worker';
import { CallSlots } from '../activities/runtime/call-slots.js';
import { outlasting } from '../activities/runtime/outlasting.js';

// biome-ignore lint/suspicious/noExplicitAny: which activities they are makes no difference here
type Activities = Record<string, (...args: any[]) => Promise<any>>;

export interface EagerCallsOptions {
  /** Calls at a time. */
  concurrency: number;
  /** How long calls under way are waited for after all else of the queue was ended. */
  graceMs: number;
  /** Of the worker of the workflows, as somebody has asked for it. */
  worker: Pick<WorkerOptions, 'maxConcurrentActivityTaskExecutions' | 'tuner'>;
}

export interface EagerCalls {
  /** Whether model calls may be on the queue of the workflows as well. */
  isPossible: boolean;
  /** What the worker of the workflows is set up with for them. */
  options: Pick<
    WorkerOptions,
    'maxConcurrentActivityTaskExecutions' | 'maxEagerActivityReservationsPerWorkflowTask'
  >;
  /** Activities that hold to the limit of calls, on the queue of the model calls. */
  limited<A extends object>(activities: A): A;
  /** The same on the queue of the workflows. */
  eager<A extends object>(activities: A): A;
}

/** What Temporal's workers have where nothing is said. */
const USUAL_SLOTS = 100;

/** Activities that begin with one task of a workflow: SuRe's verdict and votes, and what else ends then. */
const AT_ONCE = 8;

/**
 * Possible where the worker of the workflows has no more slots than there may be calls: otherwise
 * calls would hold slots that they do not use, and the free steps would wait for them.
 */
export function eagerCalls({ concurrency, graceMs, worker }: EagerCallsOptions): EagerCalls {
  const slots = new CallSlots(concurrency);
  const own = worker.maxConcurrentActivityTaskExecutions;
  const isPossible = worker.tuner === undefined && concurrency >= (own ?? USUAL_SLOTS);
  return {
    isPossible,
    options: isPossible
      ? {
          maxConcurrentActivityTaskExecutions: own ?? concurrency,
          maxEagerActivityReservationsPerWorkflowTask: AT_ONCE,
        }
      : {},
    limited: (activities) => around(activities, (work) => slots.use(work)),
    eager: (activities) => around(activities, (work) => outlasting(graceMs, () => slots.use(work))),
  };
}

function around<A extends object>(
  activities: A,
  wrap: <T>(work: () => Promise<T>) => Promise<T>,
): A {
  const wrapped = Object.entries(activities as Activities).map(([name, activity]) => [
    name,
    (...args: unknown[]) => wrap(() => activity(...args)),
  ]);
  return Object.fromEntries(wrapped) as A;
}
