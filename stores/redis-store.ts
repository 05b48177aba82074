import type { RedisClientType } from '@keyv/redis';
import { anotherStore, shownUrl } from './failures.js';
import type { KeyValueStore } from './key-value-store.js';
import { connectRedis } from './redis-connection.js';
import { storeId } from './store-id.js';

/** Of the store, whatever the namespace. */
const ID = '@durable-rag-store-id';

/**
 * Keys: the value's, the times', the id's. Arguments: the id, the field of its time, the time, the
 * value. Every change begins with this, so that none goes into a server that was emptied.
 */
const IS_SAME = `if redis.call('GET', KEYS[3]) ~= ARGV[1] then return -1 end`;
const WRITE = `redis.call('SET', KEYS[1], ARGV[4])
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
return 1`;
const SET_IF_ABSENT = `if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
${WRITE}`;
const COMPARE_AND_SET = `if redis.call('GET', KEYS[1]) ~= ARGV[5] then return 0 end
${WRITE}`;
const DELETE = `redis.call('DEL', KEYS[1])
redis.call('HDEL', KEYS[2], ARGV[2])
return 1`;

/** What Redis looks through at a time. */
const PAGE = 500;

/**
 * Opens a store on a Redis server. While the server is away everything fails at once. When values
 * were written stands in a hash beside them.
 *
 * @throws Failure Connection when the server cannot be reached or refuses the password.
 */
export async function openRedisStore(url: URL, namespace: string): Promise<KeyValueStore> {
  const { adapter, answered, close } = await connectRedis(url, namespace);
  const full = (key: string) => adapter.createKeyPrefix(key, namespace);
  const times = `${namespace}@written`;

  async function client(): Promise<RedisClientType> {
    // One server is what we connect to.
    return (await adapter.getClient()) as RedisClientType;
  }

  async function readId(): Promise<string> {
    const redis = await client();
    return storeId({
      get: async () => (await redis.get(ID)) ?? undefined,
      setIfAbsent: async (_, made) => (await redis.set(ID, made, { NX: true })) !== null,
    });
  }
  const id = await answered('cannot be opened', readId()).catch(async (failure: unknown) => {
    await close();
    throw failure;
  });

  async function run(script: string, key: string, ...args: string[]): Promise<boolean> {
    const running = async () =>
      (await client()).eval(`${IS_SAME}\n${script}`, {
        keys: [full(key), times, ID],
        arguments: [id, key, ...args],
      });
    const done = await answered('could not be written', running());
    if (done === -1) throw anotherStore(shownUrl(url));
    return done === 1;
  }
  const now = () => String(Date.now());

  /** A page of the keys that match, with the times and sizes of their values. */
  async function look(from: string, MATCH: string) {
    const redis = await client();
    const { cursor, entries } = await redis.hScan(times, from, { MATCH, COUNT: PAGE });
    const sizes = await Promise.all(entries.map(({ field }) => redis.strLen(full(field))));
    const found = entries.map(({ field, value }, i) => {
      return { key: field, writtenAt: Number(value), bytes: sizes[i] ?? 0 };
    });
    return { cursor, found };
  }

  return {
    get: (key) => answered('could not be read', adapter.get<string>(key)),
    async set(key, value) {
      await run(WRITE, key, now(), value);
    },
    setIfAbsent: (key, value) => run(SET_IF_ABSENT, key, now(), value),
    compareAndSet: (key, before, value) => run(COMPARE_AND_SET, key, now(), value, before),
    async delete(key) {
      await run(DELETE, key);
    },
    async *list(prefix) {
      const MATCH = `${prefix.replace(/[\\?*[\]^-]/g, '\\$&')}*`;
      // A scan may come by the same key twice.
      const seen = new Set<string>();
      let cursor = '0';
      do {
        const page = await answered('could not be read', look(cursor, MATCH));
        cursor = page.cursor;
        for (const entry of page.found) {
          if (!seen.has(entry.key)) yield entry;
          seen.add(entry.key);
        }
      } while (cursor !== '0');
    },
    close,
  };
}
