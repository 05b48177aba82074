/** Limits how many tasks a worker runs at a time, and how many model calls over two queues. */
import { setInterval } from 'node:timers';
import { Context } from '@temporalio/activity';
import type { ApplicationFailure } from '@temporalio/common';
import { ResourceBasedController, type WorkerOptions } from '@temporalio/worker';
import { runThroughGracePeriod } from '../activities/runtime/provider-call.js';
import { postponement } from '../activities/runtime/retry-policy.js';
import { Failure } from '../core/failure.js';
import type { Role } from '../core/roles.js';
import type { Concurrency } from './worker-options.js';

/** Shares of memory and CPU that `auto` fills; the rest is for other processes. */
const AUTO = { memory: 0.8, cpu: 0.8 };

/** Roles to which a number of calls applies: the first of them that the worker has. */
const COUNTED: readonly Role[] = ['models', 'retrieval', 'questions'];

/** The worker options that limit its activities. */
type Slots = Pick<WorkerOptions, 'tuner' | 'maxConcurrentActivityTaskExecutions'>;

/**
 * Returns a function from a role to the worker options that limit how many tasks its worker runs
 * in parallel.
 *
 * If `concurrency` is a number, it limits the activities of one role only: the first that the
 * process has of models, retrieval and questions. The other roles keep Temporal's limits. Shares
 * of memory and CPU apply to all workers of the process together.
 *
 * @throws Failure BadInput for a share that is not above 0 and up to 1.
 */
export function slotOptions(
  concurrency: Concurrency,
  roles: readonly Role[],
): (role: Role) => Slots {
  if (typeof concurrency === 'number') {
    const counted = COUNTED.find((role) => roles.includes(role));
    return (role) => (role === counted ? { maxConcurrentActivityTaskExecutions: concurrency } : {});
  }
  const { memory, cpu } = concurrency === 'auto' ? AUTO : concurrency;
  if (![memory, cpu].every((share) => share > 0 && share <= 1)) {
    throw new Failure(
      'BadInput',
      `limits.concurrency has memory ${memory} and cpu ${cpu}; both are shares above 0 and up to 1.`,
    );
  }
  const controller = ResourceBasedController.create({
    targetMemoryUsage: memory,
    targetCpuUsage: cpu,
  });
  return () => ({ tuner: { controller } });
}

// biome-ignore lint/suspicious/noExplicitAny: which activities they are makes no difference here
type Activities = Record<string, (...args: any[]) => Promise<any>>;

/** Temporal's default number of slots. */
const USUAL_SLOTS = 100;

/** Maximum number of activities that one workflow task may start at once on its own worker. */
const AT_ONCE = 8;

/**
 * Returns what lets the workflows' worker run model calls too, so that a call starts at once with
 * the workflow task that asks for it: whether that is possible (`isPossible`), options of that
 * worker (`options`), and functions that wrap the activities of the model calls' queue (`limited`)
 * and of the workflows' queue (`eager`) so that both share one limit.
 *
 * @param concurrency Maximum number of model calls in parallel.
 * @param graceMs How long, after the worker was told to stop and the rest of the queue has ended,
 * running calls may go on, in milliseconds.
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
    /**
     * Whether model calls can run on the queue of the workflows: only if the worker has no tuner, and
     * no more slots for activities than model calls are allowed in parallel. With more, calls that
     * wait for their turn would hold slots, and steps without a model call would wait for these.
     */
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
      around(activities, (work) => runThroughGracePeriod(graceMs, () => slots.use(work))),
  };
}

/** Returns the activities, each called through `wrap`. */
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

/**
 * Longest wait of an attempt for its slot, in milliseconds. The server allows half a minute more
 * than the call itself.
 */
const PATIENCE_MS = 20_000;
const HEARTBEAT_MS = 1000;
const BACK_AFTER_MS = 1000;

/**
 * Slots for model calls, shared by the two queues on which a worker receives them. If all slots are
 * taken, a call waits in order of arrival. A call that has waited for 20 seconds, or that arrives
 * when as many calls wait as there are slots, is sent back to the server, which gives it to any
 * worker later.
 */
export class CallSlots {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Runs `work` once there is a free slot, and returns its result. Must be called in an activity.
   *
   * @throws ApplicationFailure AwaitsSlot if the call is to be tried again later.
   */
  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken < this.#most) this.#taken++;
    else await this.#turn(Context.current());
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#taken--;
    }
  }

  /** Resolves once a finished call passes its slot on. */
  #turn({ cancellationSignal, heartbeat, info }: Context): Promise<void> {
    if (this.#waiting.length >= this.#most) throw busy();
    return new Promise((resolve, reject) => {
      // The progress left by earlier attempts stays with the activity.
      const beat = setInterval(() => heartbeat(info.heartbeatDetails), HEARTBEAT_MS);
      const patience = setTimeout(() => leave(busy()), PATIENCE_MS);
      const cancelled = () => leave(cancellationSignal.reason);
      const end = () => {
        clearInterval(beat);
        clearTimeout(patience);
        cancellationSignal.removeEventListener('abort', cancelled);
      };
      const turn = () => {
        end();
        resolve();
      };
      const leave = (reason: unknown) => {
        end();
        this.#waiting.splice(this.#waiting.indexOf(turn), 1);
        reject(reason);
      };
      cancellationSignal.addEventListener('abort', cancelled);
      this.#waiting.push(turn);
    });
  }
}

function busy(): ApplicationFailure {
  const message = 'The worker has as many calls under way as it may have.';
  return postponement('AwaitsSlot', message, Math.ceil(BACK_AFTER_MS * (1 + Math.random())));
}
