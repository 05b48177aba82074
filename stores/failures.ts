/** Failures of stores: what happened, at which host, and what to do. */
import { Failure } from '../core/failure.js';

/** A Failure that names the variable to set. The text must hold no password. */
export function storeFailure(
  type: 'BadInput' | 'Connection',
  what: string,
  cause?: unknown,
): Failure {
  const why = cause === undefined ? '' : ` (${reason(cause)})`;
  return new Failure(
    type,
    `${what}${why}. Set DURABLE_RAG_STORE to a folder, a redis:// or a postgres:// URL.`,
  );
}

/** What a process had open is no longer there: nothing more is written, and nothing paid for. */
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

/**
 * The message of an error. Drivers put hosts, ports and user names into it, and no passwords; a
 * connection that fails on several addresses has an empty message and errors inside.
 */
export function reason(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0) return reason(cause.errors[0]);
  if (!(cause instanceof Error)) return String(cause);
  return cause.message || ('code' in cause ? String(cause.code) : cause.name);
}
