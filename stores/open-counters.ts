/** Opens counts beside the store that a URL names, on rate-limiter-flexible. */
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
} from 'rate-limiter-flexible';
import type { Counters } from './counters.js';
import { inDeployment } from './deployment.js';
import { storePlace } from './store-url.js';

const TABLE = 'durable_rag_counters';

const CREATE = `CREATE TABLE IF NOT EXISTS ${TABLE}
  (key varchar(255) PRIMARY KEY, points integer NOT NULL DEFAULT 0, expire bigint)`;

/** Nothing is ever refused by a count itself: what a total means is for its reader to say. */
const LIMITS = { keyPrefix: 'durable-rag-count', points: Number.MAX_SAFE_INTEGER, duration: 60 };

/**
 * Opens counts on the server of the store; for a folder, which has none, in this process alone.
 *
 * @param url The value of DURABLE_RAG_STORE.
 * @param deployment Counts apart from others on the server.
 * @throws Failure BadInput when the URL cannot be used, Connection when nothing answers there.
 */
export async function openCounters(url: string, deployment?: string): Promise<Counters> {
  const place = storePlace(url);
  const limits = { ...LIMITS, keyPrefix: inDeployment(LIMITS.keyPrefix, deployment) };
  switch (place.kind) {
    case 'folder':
      return memoryCounters();
    case 'redis': {
      const { connectRedis } = await import('./redis-connection.js');
      const { adapter, answered, close } = await connectRedis(place.url, 'counters');
      const storeClient = await answered('cannot be reached', adapter.getClient());
      const limiter = new RateLimiterRedis({ ...limits, storeClient, useRedisPackage: true });
      return { add: adding(limiter, answered), close };
    }
    case 'postgres': {
      const { connectPostgres } = await import('./postgres-connection.js');
      const { pool, answered, close } = await connectPostgres(place.url, TABLE, CREATE);
      const limiter = new RateLimiterPostgres({
        ...limits,
        storeClient: pool,
        tableName: TABLE,
        tableCreated: true,
      });
      return { add: adding(limiter, answered), close };
    }
  }
}

/** Counts that live as long as the process. */
export function memoryCounters(): Counters {
  const limiter = new RateLimiterMemory(LIMITS);
  return { add: adding(limiter, (_, command) => command), close: async () => {} };
}

function adding(
  limiter: RateLimiterAbstract,
  answered: <T>(what: string, command: Promise<T>) => Promise<T>,
): Counters['add'] {
  return async (key, amount, seconds) => {
    // A penalty is the library's unconditional addition.
    const adding = limiter.penalty(key, amount, { customDuration: seconds });
    return (await answered('could not be written', adding)).consumedPoints;
  };
}
