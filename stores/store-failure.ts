/** Failures of stores, which name the store and what to do. */
import { Failure, innermostMessage } from '../core/failure.js';

/**
 * Returns a Failure of the given type about a store, with the advice to set DURABLE_RAG_STORE.
 *
 * @param what What happened, without a password, as the beginning of a sentence.
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

/** Returns a parsed URL as text for messages, without user, password and query. */
export function shownUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/**
 * Returns a function that awaits a command to the store at a URL, and returns the command's
 * result. If the command fails, the function throws a Failure Connection, with words such as
 * "could not be read".
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
