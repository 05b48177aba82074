import { ENCODING_ADVICE, percentDecoded, serverUrl } from '../core/server-url.js';
import { storeFailure } from './store-failure.js';

type StorePlace = { kind: 'folder'; path: string } | { kind: 'redis' | 'postgres'; url: URL };

/**
 * Parses the value of DURABLE_RAG_STORE into the kind of store (`kind`: folder, redis or postgres)
 * and its folder (`path`) or its parsed URL (`url`). The value is a folder (also as `file:` or
 * `lmdb:`), `redis://`, `rediss://`, `postgres://` or `postgresql://`.
 *
 * @throws Failure BadInput if it is none of these, names no folder, or is a URL that cannot be
 * read.
 */
export function parseStoreUrl(text: string): StorePlace {
  const folder = /^(?:file|lmdb):(?:\/\/(?=\/))?(.*)$/.exec(text)?.[1];
  // A scheme has at least two letters, so that C:\store is a folder.
  const scheme = folder === undefined ? /^([a-z][a-z0-9+.-]+):/i.exec(text)?.[1] : undefined;
  if (scheme === undefined) {
    const path = folder === undefined ? text : percentDecoded(folder);
    if (path === undefined) {
      const todo = 'write % in its path as %25, or give the path alone';
      throw storeFailure('BadInput', `The URL of the store's folder cannot be read: ${todo}`);
    }
    if (path.trim() === '') throw storeFailure('BadInput', 'The store has no folder');
    return { kind: 'folder', path };
  }

  const url = serverUrl(text);
  if (!url) {
    throw storeFailure(
      'BadInput',
      `The ${scheme} URL of the store cannot be read: ${ENCODING_ADVICE}`,
    );
  }
  switch (scheme.toLowerCase()) {
    case 'redis':
    case 'rediss':
      return { kind: 'redis', url };
    case 'postgres':
    case 'postgresql':
      return { kind: 'postgres', url };
    default:
      throw storeFailure('BadInput', `There is no store for ${scheme} URLs`);
  }
}
