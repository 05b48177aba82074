import type { QueueRates } from '../activities/runtime/ports.js';
import type { KeyValueStore } from '../stores/key-value-store.js';

/** Rate limits that are also marked in a store: see `markedRates`. */
interface MarkedRates extends QueueRates {
  /** Tells whether a limit applies to the activities of a queue; true if unknown. */
  isLimited(queue: string): Promise<boolean>;
}

/** Time in milliseconds after which a limit set on the server by others is noticed. */
const SERVER_KEPT_MS = 5000;

const NONE = 'null';
const keyOf = (queue: string) => `requests-per-minute:${queue}`;

/**
 * Returns functions that read and set the server's request rate limits, with marks in a store, from
 * which every worker knows without a request to the server whether a limit is in force. A mark is
 * written before the server has the limit, and removed after the server's is.
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
