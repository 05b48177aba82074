/** Searches and lookups in an activity, whose server may be away for longer than a provider. */
import { FAILURES, Failure, type FailureType } from '../../core/failure.js';

/**
 * Least number of attempts of work that costs nothing: about twelve minutes, in which a killed
 * server is back with its data. A paid call has as many attempts as its question allows.
 */
export const FREE_ATTEMPTS = 30;

/** The search engine or the passage store is away. No provider was asked yet. */
export class SearchAway extends Failure {}

/**
 * Runs a search or reads passages.
 *
 * @throws SearchAway with the same type, instead of a failure that means that the server is away.
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

/** Tells whether waiting heals the failure, and the server did not answer with a refusal. */
function isAway(type: FailureType): boolean {
  const { healedBy, seenAs } = FAILURES[type];
  return healedBy === 'wait' && seenAs === undefined;
}
