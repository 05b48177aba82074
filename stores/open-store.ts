import type { KeyValueStore } from './key-value-store.js';
import { withOptionalPart } from './optional-parts.js';
import { storeFailure } from './store-failure.js';
import { parseStoreUrl } from './store-url.js';

/**
 * Opens the key-value store at a URL, and checks that it responds.
 *
 * @param url A folder (also as `file:` or `lmdb:`), `redis://`, `rediss://`, `postgres://` or
 * `postgresql://`, as in DURABLE_RAG_STORE.
 * @param namespace Name that separates this store's data from others in the same server or folder:
 * up to 50 letters, digits, `_`, `-`.
 * @throws Failure BadInput if the URL, the folder or the namespace cannot be used, or the Redis
 * client is not installed; Connection if the server cannot be reached or refuses the user.
 * @example
 * const store = await openStore('.durable-rag/store', 'responses');
 */
export async function openStore(url: string, namespace: string): Promise<KeyValueStore> {
  if (!/^[\w-]{1,50}$/.test(namespace)) {
    throw storeFailure('BadInput', `"${namespace}" cannot be a namespace of a store`);
  }
  const place = parseStoreUrl(url);
  switch (place.kind) {
    case 'folder': {
      const { openLmdbStore } = await import('./lmdb-store.js');
      return openLmdbStore(place.path, namespace);
    }
    case 'redis': {
      const { openRedisStore } = await withOptionalPart('redis', () => import('./redis-store.js'));
      return openRedisStore(place.url, namespace);
    }
    case 'postgres': {
      const { openPostgresStore } = await import('./postgres-store.js');
      return openPostgresStore(place.url, namespace);
    }
  }
}
