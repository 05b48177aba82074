/** Searches and lookups inside an activity: their server may be away for longer than a provider. */
import { Failure, type FailureType } from '../../methods/failure.js';

/**
 * How often is tried what costs nothing, at least: about twelve minutes, in which a server that was
 * killed is back with all it had. A paid call is tried as often as its question allows.
 */
export const FREE_ATTEMPTS = 30;

/** What a server says, or does not say, that is away or only just coming back. */
const AWAY: ReadonlySet<FailureType> = new Set<FailureType>([
  'Connection',
  'Overloaded',
  'Timeout',
]);

/** The search engine, or the store of passages, is away; of a provider nothing was asked yet. */
export class SearchAway extends Failure {}

/**
 * Searches, or reads passages.
 *
 * @throws SearchAway, of the same type, in place of a failure that means that the server is away.
 */
export async function searching<T>(search: () => Promise<T>): Promise<T> {
  try {
    return await search();
  } catch (error) {
    if (!(error instanceof Failure) || !error.retryable || !AWAY.has(error.type)) throw error;
    const { type, message, retryAfterMs } = error;
    throw new SearchAway(type, message, { retryAfterMs, cause: error });
  }
}
