/** Failures of stores: what happened, at which host, and what to do. */
import { Failure, reasonIn } from '../core/failure.js';

/** A Failure that names the variable to set. The text must hold no password. */
export function storeFailure(
  type: 'BadInput' | 'Connection',
  what: string,
  cause?: unknown,
): Failure {
  // Drivers put hosts, ports and user names into their messages, and no passwords.
  const why = cause === undefined ? '' : ` (${reasonIn(cause)})`;
  return new Failure(
    type,
    `${what}${why}. Set DURABLE_RAG_STORE to a folder, a redis:// or a postgres:// URL.`,
  );
}

/** Says that what a process had open is gone: nothing more is written, and nothing paid for. */
export function anotherStore(place: string): Failure {
  return new Failure(
    'Connection',
    `The store at ${place} is not the one that this process opened: it was deleted, emptied or replaced. Put it back, or restart this process, which then begins with what is there.`,
  );
}

/** Scheme, host and path of a URL: what may be shown of it. */
export function shownUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/** Makes what gives the answer of a command, or a Failure that says `what` the store did. */
export function answering(url: URL) {
  return async <T>(what: string, command: Promise<T>): Promise<T> => {
    try {
      return await command;
    } catch (error) {
      throw storeFailure('Connection', `The store at ${shownUrl(url)} ${what}`, error);
    }
  };
}
