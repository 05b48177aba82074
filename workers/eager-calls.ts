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
 * Sets up model calls on the queue of the workflows. It requires that the workflows' worker has no
 * more slots than calls are allowed; otherwise calls would occupy slots without using them, and
 * free steps would wait.
 *
 * @param concurrency Calls at a time.
 * @param graceMs How long a stop waits for running calls after everything else of the queue was
 * ended.
 * @param worker Options of the workflows' worker.
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
    /** Options of the workflows' worker. */
    options: {
      maxConcurrentActivityTaskExecutions: own ?? concurrency,
      maxEagerActivityReservationsPerWorkflowTask: AT_ONCE,
    },
    /** Limits activities on the queue of the model calls. */
    limited: <A extends object>(activities: A) => around(activities, (work) => slots.use(work)),
    /** Limits activities on the queue of the workflows. */
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
