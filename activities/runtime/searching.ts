/** Searches and lookups inside an activity: their server may be away for longer than a provider. */
import { FAILURES, Failure, type FailureType } from '../../core/failure.js';

/**
 * How often is tried what costs nothing, at least: about twelve minutes, in which a server that was
 * killed is back with all it had. A paid call is tried as often as its question allows.
 */
export const FREE_ATTEMPTS = 30;

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
    if (!(error instanceof Failure) || !error.retryable || !isAway(error.type)) throw error;
    const { type, message, retryAfterMs } = error;
    throw new SearchAway(type, message, { retryAfterMs, cause: error });
  }
}

/** A wait heals it, and it is no refusal of a server that is there. */
function isAway(type: FailureType): boolean {
  const { healedBy, seenAs } = FAILURES[type];
  return healedBy === 'wait' && seenAs === undefined;
}
