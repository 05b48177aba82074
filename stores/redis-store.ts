/** A store in Redis. */
import type { KeyValueStore } from './key-value-store.js';
import { connectRedis } from './redis-connection.js';

/**
 * Opens a store on a Redis server. While the server is away `get` and `set` fail at once.
 *
 * @throws Failure Connection when the server cannot be reached or refuses the password.
 */
export async function openRedisStore(url: URL, namespace: string): Promise<KeyValueStore> {
  const { adapter, answered, close } = await connectRedis(url, namespace);
  return {
    get: (key) => answered('could not be read', adapter.get<string>(key)),
    set: (key, value) => answered('could not be written', adapter.set(key, value)),
    close,
  };
}
