/** Failures of stores, which name the store and what to do. */
import { Failure, innermostMessage } from '../core/failure.js';

/**
 * Returns the failure of a store, with the advice to set DURABLE_RAG_STORE. @param what What
 * happened, without a password.
 */
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
 * Returns the failure Connection of a store that was replaced since this process opened it.
 */
export function replacedStoreFailure(place: string): Failure {
  return new Failure(
    'Connection',
    `The store at ${place} is not the one that this process opened: it was deleted, emptied or replaced. Put it back, or restart this process, which then begins with what is there.`,
  );
}

/** Returns a URL without user, password and query, to show it in messages. */
export function shownUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/**
 * Returns a function that waits for a store's command and turns its error into a Failure
 * Connection; `what` says what happened, such as "could not be read".
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
