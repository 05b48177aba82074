import KeyvRedis from '@keyv/redis';
import { shownUrl, storeFailure } from './failures.js';

/** Longer than any healthy answer; a server that hangs must not hold an activity. */
const ANSWER_MS = 15_000;

export interface RedisConnection {
  adapter: KeyvRedis<string>;
  /** The command's answer, or a Failure that says `what` the store did. */
  answered<T>(what: string, command: Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * Connects to a Redis server. While it is away commands fail at once, and the connection comes back
 * by itself.
 *
 * The adapter alone is used, without the Keyv class around it: that one swallows errors.
 *
 * @throws Failure Connection when the server cannot be reached or refuses the password.
 */
export async function connectRedis(url: URL, namespace: string): Promise<RedisConnection> {
  let opened = false;
  let lastError: unknown;
  const adapter = new KeyvRedis<string>(
    {
      url: url.href,
      // By default commands wait for a server that is away, without end.
      disableOfflineQueue: true,
      socket: {
        connectTimeout: ANSWER_MS,
        // The first connection fails at once, so that a wrong URL is told at the start.
        reconnectStrategy: (attempts: number) =>
          opened ? Math.min(100 * 2 ** attempts, 2000) : false,
      },
    },
    { namespace, throwOnErrors: true },
  );
  // The adapter replaces a connection error by one without a reason, and Node ends a process whose
  // error event nobody hears. Errors of commands are thrown by the commands as well.
  adapter.on('error', (error: unknown) => {
    lastError = error;
  });

  async function answered<T>(what: string, command: Promise<T>): Promise<T> {
    try {
      return await within(ANSWER_MS, command);
    } catch (error) {
      const cause = opened ? error : (lastError ?? error);
      throw storeFailure('Connection', `The store at ${shownUrl(url)} ${what}`, cause);
    }
  }

  try {
    await answered('cannot be reached', adapter.get('ping'));
  } catch (failure) {
    await adapter.disconnect(true).catch(() => {});
    throw failure;
  }
  opened = true;
  return { adapter, answered, close: () => adapter.disconnect(true) };
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
