/** Failures of stores, with the host and what to do. */
import { Failure, innermostMessage } from '../core/failure.js';

/** Returns a Failure that names the variable to set. The text must not contain a password. */
export function storeFailure(
  type: 'BadInput' | 'Connection',
  what: string,
  cause?: unknown,
): Failure {
  // Drivers put hosts, ports and user names into their messages, but no passwords.
  const why = cause === undefined ? '' : ` (${innermostMessage(cause)})`;
  return new Failure(
    type,
    `${what}${why}. Set DURABLE_RAG_STORE to a folder, a redis:// or a postgres:// URL.`,
  );
}

/**
 * Returns the failure of a store that was replaced since this process opened it; nothing more is
 * written or paid for.
 */
export function replacedStoreFailure(place: string): Failure {
  return new Failure(
    'Connection',
    `The store at ${place} is not the one that this process opened: it was deleted, emptied or replaced. Put it back, or restart this process, which then begins with what is there.`,
  );
}

/** Returns scheme, host and path of a URL, the parts that may be shown. */
export function shownUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/**
 * Returns a wrapper that turns the error of a command into a Failure; `what` says what the store
 * did.
 */
export function asStoreFailure(url: URL) {
  return async <T>(what: string, command: Promise<T>): Promise<T> => {
    try {
      return await command;
    } catch (error) {
      throw storeFailure('Connection', `The store at ${shownUrl(url)} ${what}`, error);
    }
  };
}
