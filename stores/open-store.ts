/** Opens the store that a URL names. */
import { storeFailure } from './failures.js';
import type { KeyValueStore } from './key-value-store.js';

/**
 * Opens a store and makes sure that it answers.
 *
 * @param url A folder (also as `file:` or `lmdb:`), `redis://`, `rediss://`, `postgres://` or
 *   `postgresql://`: the value of DURABLE_RAG_STORE.
 * @param namespace Keeps apart what shares a server or a folder: letters, digits, `_`, `-`.
 * @throws Failure BadInput when the URL cannot be used, Connection when nothing answers there.
 * @example
 * const store = await openStore('.durable-rag/store', 'responses');
 */
export async function openStore(url: string, namespace: string): Promise<KeyValueStore> {
  if (!/^[\w-]{1,50}$/.test(namespace)) {
    throw storeFailure('BadInput', `"${namespace}" cannot be a namespace of a store`);
  }
  const folder = /^(?:file|lmdb):(?:\/\/(?=\/))?(.*)$/.exec(url)?.[1];
  // A scheme has two letters or more, so that C:\store is a folder.
  const scheme = folder === undefined ? /^([a-z][a-z0-9+.-]+):/i.exec(url)?.[1] : undefined;
  if (scheme === undefined) {
    const path = folder === undefined ? url : decodeURIComponent(folder);
    if (path.trim() === '') throw storeFailure('BadInput', 'The store has no folder');
    const { openLmdbStore } = await import('./lmdb-store.js');
    return openLmdbStore(path, namespace);
  }

  if (!URL.canParse(url)) {
    throw storeFailure('BadInput', `The ${scheme} URL of the store cannot be read`);
  }
  switch (scheme.toLowerCase()) {
    case 'redis':
    case 'rediss': {
      const { openRedisStore } = await import('./redis-store.js');
      return openRedisStore(new URL(url), namespace);
    }
    case 'postgres':
    case 'postgresql': {
      const { openPostgresStore } = await import('./postgres-store.js');
      return openPostgresStore(new URL(url), namespace);
    }
    default:
      throw storeFailure('BadInput', `There is no store for ${scheme} URLs`);
  }
}
