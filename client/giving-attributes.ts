import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import type { KeywordPair } from '../workflows/search-attributes.js';
import { GRPC } from './grpc-code.js';

/**
 * Returns a function that starts workflows with search attributes until the server refuses them.
 * Then workers that know of them set them.
 */
export function givingAttributes() {
  let areKnown = true;
  return async <T>(
    attributes: KeywordPair[],
    start: (attributes: KeywordPair[]) => Promise<T>,
  ): Promise<T> => {
    if (!areKnown) return start([]);
    try {
      return await start(attributes);
    } catch (error) {
      if (!refusesAttributes(error)) throw error;
      areKnown = false;
      return start([]);
    }
  };
}

/** Tells by its message whether the server lacks these search attributes. */
function refusesAttributes(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  if (!isGrpcServiceError(cause) || cause.code !== GRPC.invalidArgument) return false;
  return /search attribute/i.test(cause.details);
}
