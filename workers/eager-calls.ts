import type { WorkerOptions } from '@temporalio/worker';
import { CallSlots } from '../activities/runtime/call-slots.js';
import { outlasting } from '../activities/runtime/provider-call.js';

// biome-ignore lint/suspicious/noExplicitAny: which activities they are makes no difference here
type Activities = Record<string, (...args: any[]) => Promise<any>>;

/** Temporal's default number of slots. */
const USUAL_SLOTS = 100;

/**
 * Activities that begin with one workflow task: SuRe's verdict and votes, and others that end then.
 */
const AT_ONCE = 8;

/**
 * Returns what a worker needs to run model calls on the queue of the workflows, where they begin
 * with the workflow task that asks for them. It is possible only if the workflows' worker has no more
 * slots for activities than model calls are allowed at a time. With more slots, calls that wait for
 * their turn would hold slots, and steps without a model call would wait for these.
 *
 * @param concurrency Most model calls at a time.
 * @param graceMs How long a stop waits for running calls once the rest of the queue has ended, in
 * milliseconds.
 * @param worker Options of the workflows' worker, which may set its number of slots.
 */
export function eagerCalls(
  concurrency: number,
  graceMs: number,
  worker: Pick<WorkerOptions, 'maxConcurrentActivityTaskExecutions' | 'tuner'>,
) {
  const slots = new CallSlots(concurrency);
  const own = worker.maxConcurrentActivityTaskExecutions;
  return {
    /** Whether model calls can run on the queue of the workflows. */
    isPossible: worker.tuner === undefined && concurrency >= (own ?? USUAL_SLOTS),
    /** Options to add to the workflows' worker. */
    options: {
      maxConcurrentActivityTaskExecutions: own ?? concurrency,
      maxEagerActivityReservationsPerWorkflowTask: AT_ONCE,
    },
    /** Returns activities for the queue of the model calls, at most `concurrency` at a time. */
    limited: <A extends object>(activities: A) => around(activities, (work) => slots.use(work)),
    /** Returns activities for the queue of the workflows, under the same limit. */
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
