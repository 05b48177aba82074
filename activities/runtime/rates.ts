/** Sets and reads the rate limits of model calls. */
import { Context } from '@temporalio/activity';
import type { KeyValueStore } from '../../stores/key-value-store.js';
import type { CallBounds } from '../../workflows/activities/calls.js';
import type { RateActivities } from '../../workflows/activities/rates.js';
import { modelQueue } from '../../workflows/queue/task-queues.js';
import { LONG_BOUNDS, pollUntilFound } from './free-calls.js';
import type { Ports, QueueRates } from './ports.js';
import { providerCall } from './provider-call.js';

const BOUNDS: CallBounds = { timeoutSeconds: 30, attempts: 6, refusals: 6 };

/** Pause between two checks whether a run has ended, in milliseconds; its limits last that long. */
const POLL_MS = 5_000;

/**
 * Returns four activities by name, for the rate limits of model calls in requests and tokens per
 * minute: one asks for limits for the calling workflow, one puts limits in force, one reads those
 * in force, and one waits until at least one of several workflows has ended and returns the ids of
 * those that have.
 */
export function rateActivities({ tokens, queueRates, queueLimits, watch }: Ports): RateActivities {
  const queue = () => modelQueue(Context.current().info.taskQueue);
  return {
    setRates: (rates) =>
      providerCall(BOUNDS, () => {
        const { workflowExecution, taskQueue } = Context.current().info;
        return queueLimits.ask(taskQueue, { owner: workflowExecution?.workflowId ?? null, rates });
      }),
    applyRates: ({ requestsPerMinute, tokensPerMinute }) =>
      providerCall(BOUNDS, async () => {
        if (requestsPerMinute !== undefined) await queueRates.set(queue(), requestsPerMinute);
        if (tokensPerMinute !== undefined) await tokens.setLimit(tokensPerMinute);
      }),
    readRates: () =>
      providerCall(BOUNDS, async () => ({
        requestsPerMinute: await queueRates.get(queue()),
        tokensPerMinute: await tokens.limit(),
      })),
    awaitRunsEnded: (workflowIds) =>
      providerCall(LONG_BOUNDS, ({ signal }) =>
        pollUntilFound(POLL_MS, signal, async () => {
          const running = await Promise.all(
            workflowIds.map((workflowId) => watch.isRunning({ workflowId })),
          );
          return workflowIds.filter((_, i) => !running[i]);
        }),
      ),
  };
}

/** Rate limits that are also marked in a store: see `markedRates`. */
interface MarkedRates extends QueueRates {
  /** Returns whether a limit applies to the activities of a queue; true if unknown. */
  isLimited(queue: string): Promise<boolean>;
}

/** Time in milliseconds after which a limit set on the server by others is noticed. */
const SERVER_KEPT_MS = 5000;

const NONE = 'null';
const keyOf = (queue: string) => `requests-per-minute:${queue}`;

/**
 * Returns functions that read and set the server's limits of activity starts per minute, with
 * marks in a store, by which every worker knows of a limit without a request to the server. A mark
 * is written before the server has the limit, and removed after the server's is. Without a mark
 * the server is asked, at most once in five seconds for a queue.
 *
 * @param server Reads and sets the limits on the Temporal server.
 * @param marks Store shared by all workers of the queue.
 * @param now Returns milliseconds since 1970.
 */
export function markedRates(
  server: QueueRates,
  marks: Pick<KeyValueStore, 'get' | 'set'>,
  now: () => number = Date.now,
): MarkedRates {
  const known = new Map<string, { limit: Promise<boolean>; at: number }>();

  function onServer(queue: string): Promise<boolean> {
    const last = known.get(queue);
    if (last && now() - last.at <= SERVER_KEPT_MS) return last.limit;
    const limit = server.get(queue).then(
      (perMinute) => perMinute !== null,
      () => true,
    );
    known.set(queue, { limit, at: now() });
    return limit;
  }

  return {
    get: (queue) => server.get(queue),
    async set(queue, requestsPerMinute) {
      const mark = JSON.stringify(requestsPerMinute);
      if (requestsPerMinute !== null) await marks.set(keyOf(queue), mark);
      await server.set(queue, requestsPerMinute);
      if (requestsPerMinute === null) await marks.set(keyOf(queue), mark);
      known.delete(queue);
    },
    async isLimited(queue) {
      const mark = await marks.get(keyOf(queue)).catch(() => 'unknown');
      return (mark ?? NONE) !== NONE || onServer(queue);
    },
  };
}
