import type { WorkerOptions } from '@temporalio/worker';
import { CallSlots } from '../activities/runtime/call-slots.js';
import { outlasting } from '../activities/runtime/outlasting.js';

// biome-ignore lint/suspicious/noExplicitAny: which activities they are makes no difference here
type Activities = Record<string, (...args: any[]) => Promise<any>>;

/** What Temporal's workers have where nothing is said. */
const USUAL_SLOTS = 100;

/** Activities that begin with one task of a workflow: SuRe's verdict and votes, and what else ends then. */
const AT_ONCE = 8;

/**
 * Model calls on the queue of the workflows. That is possible where the worker of the workflows has
 * no more slots than there may be calls: otherwise calls would hold slots that they do not use, and
 * the free steps would wait for them.
 *
 * @param concurrency Calls at a time.
 * @param graceMs How long calls under way are waited for after all else of the queue was ended.
 * @param worker Of the workflows, as somebody has asked for it.
 */
export function eagerCalls(
  concurrency: number,
  graceMs: number,
  worker: Pick<WorkerOptions, 'maxConcurrentActivityTaskExecutions' | 'tuner'>,
) {
  const slots = new CallSlots(concurrency);
  const own = worker.maxConcurrentActivityTaskExecutions;
  return {
    isPossible: worker.tuner === undefined && concurrency >= (own ?? USUAL_SLOTS),
    /** What the worker of the workflows is set up with for them. */
    options: {
      maxConcurrentActivityTaskExecutions: own ?? concurrency,
      maxEagerActivityReservationsPerWorkflowTask: AT_ONCE,
    },
    /** Activities that hold to the limit of calls, on the queue of the model calls. */
    limited: <A extends object>(activities: A) => around(activities, (work) => slots.use(work)),
    /** The same on the queue of the workflows. */
    eager: <A extends object>(activities: A) =>
      around(activities, (work) => outlasting(graceMs, () => slots.use(work))),
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
