import {
  type RateLimiterAbstract,
  RateLimiterPostgres,
  RateLimiterRedis,
} from 'rate-limiter-flexible';
import type { Counters } from './counters.js';
import { inDeployment } from './deployment.js';
import type { KeyValueStore } from './key-value-store.js';
import { needing } from './optional-parts.js';
import { storeCounters } from './store-counters.js';
import { storePlace } from './store-url.js';

const TABLE = 'durable_rag_counters';

const CREATE = `CREATE TABLE IF NOT EXISTS ${TABLE}
  (key varchar(255) PRIMARY KEY, points integer NOT NULL DEFAULT 0, expire bigint)`;

/** Nothing is ever refused by a count itself: what a total means is for its reader to say. */
const LIMITS = { keyPrefix: 'durable-rag-count', points: Number.MAX_SAFE_INTEGER, duration: 60 };

/**
 * Opens counts on the server of the store, or in the store itself where that is a folder.
 *
 * @param url The value of DURABLE_RAG_STORE.
 * @param store A part of it; stays open when the counts are closed.
 * @param deployment Counts apart from others on the server.
 * @throws Failure BadInput when the URL cannot be used, Connection when nothing answers there.
 */
export async function openCounters(
  url: string,
  store: KeyValueStore,
  deployment?: string,
): Promise<Counters> {
  const place = storePlace(url);
  const limits = { ...LIMITS, keyPrefix: inDeployment(LIMITS.keyPrefix, deployment) };
  switch (place.kind) {
    case 'folder':
      return storeCounters(store);
    case 'redis': {
      const { connectRedis } = await needing('redis', () => import('./redis-connection.js'));
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
