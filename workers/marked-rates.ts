import type { QueueRates } from '../activities/runtime/ports.js';
import type { KeyValueStore } from '../stores/key-value-store.js';

interface MarkedRates extends QueueRates {
  /** Tells whether starts from a queue are limited; true if unknown. */
  isLimited(queue: string): Promise<boolean>;
}

/** How soon a limit is noticed that was set on the server itself. */
const SERVER_KEPT_MS = 5000;

const NONE = 'null';
const keyOf = (queue: string) => `requests-per-minute:${queue}`;

/**
 * Returns rates that write a limit to the store before the server has it, and remove it after the
 * server has none. So every worker that looks after a limit is set finds it.
 *
 * @param marks Store shared by all workers of the queue.
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
