import { createClient } from '@redis/client';
import type { KeyValueStore } from './key-value-store.js';
import { asStoreFailure, replacedStoreFailure, shownUrl } from './store-failure.js';
import { storeId } from './store-id.js';

/** Key of the store's id, shared by all namespaces. */
const ID = '@durable-rag-store-id';

/**
 * Start of every change: checks the store's id, so nothing is written into an emptied server. Keys:
 * the value's, the times', the id's. Arguments: the id, the field of the time, the time, the value.
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

/**
 * Longest time for an answer. Any healthy one is faster, and a hanging server must not block an
 * activity.
 */
const ANSWER_MS = 15_000;

/** Keys that Redis scans at a time. */
const PAGE = 500;

/**
 * Opens a key-value store on a Redis server. Its methods fail immediately while the server is
 * unreachable, and after 15 seconds if it does not answer.
 *
 * @throws Failure Connection if the server cannot be reached or refuses the password.
 */
export async function openRedisStore(url: URL, namespace: string): Promise<KeyValueStore> {
  const { redis, answered, close } = await connect(url);
  const full = (key: string) => `${namespace}::${key}`;
  /** Key of the hash with the time of writing of each value, in milliseconds since 1970. */
  const times = `${namespace}@written`;
  const readId = storeId({
    get: async () => (await redis.get(ID)) ?? undefined,
    setIfAbsent: async (_, made) => (await redis.set(ID, made, { NX: true })) !== null,
  });
  const id = await answered('cannot be opened', readId).catch(async (failure: unknown) => {
    await close();
    throw failure;
  });

  async function run(script: string, key: string, ...args: string[]): Promise<boolean> {
    const running = redis.eval(`${IS_SAME}\n${script}`, {
      keys: [full(key), times, ID],
      arguments: [id, key, ...args],
    });
    const done = await answered('could not be written', running);
    if (done === -1) throw replacedStoreFailure(shownUrl(url));
    return done === 1;
  }
  const now = () => String(Date.now());

  /** Returns a page of the matching keys, with the times and sizes of their values. */
  async function scan(from: string, MATCH: string) {
    const { cursor, entries } = await redis.hScan(times, from, { MATCH, COUNT: PAGE });
    const sizes = await Promise.all(entries.map(({ field }) => redis.strLen(full(field))));
    const found = entries.map(({ field, value }, i) => {
      return { key: field, writtenAt: Number(value), bytes: sizes[i] ?? 0 };
    });
    return { cursor, found };
  }

  return {
    get: async (key) => (await answered('could not be read', redis.get(full(key)))) ?? undefined,
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
      // A scan may return the same key twice.
      const seen = new Set<string>();
      let cursor = '0';
      do {
        const page = await answered('could not be read', scan(cursor, MATCH));
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

/**
 * Connects to a Redis server. While it is away, commands fail at once; the connection is restored
 * automatically.
 */
async function connect(url: URL) {
  let opened = false;
  const redis = createClient({
    url: url.href,
    // By default, commands wait for an absent server without end.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: ANSWER_MS,
      // The first connection fails at once, so that a wrong URL is reported at the start.
      reconnectStrategy: (attempts) => (opened ? Math.min(100 * 2 ** attempts, 2000) : false),
    },
  });
  // Commands throw their errors; Node ends a process with an unhandled error event.
  redis.on('error', () => {});

  const answer = asStoreFailure(url);
  const answered = <T>(what: string, command: Promise<T>) =>
    answer(what, within(ANSWER_MS, command));
  async function close(): Promise<void> {
    if (redis.isOpen) redis.destroy();
  }

  try {
    await answered('cannot be reached', redis.connect());
  } catch (failure) {
    await close();
    throw failure;
  }
  opened = true;
  return { redis, answered, close };
}

async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
