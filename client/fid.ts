import type { MethodResult } from '../core/result.js';
import { fidExample as exampleBy, type FidExample, type FidSource } from '../evaluation/fid.js';
import { methodRegistry } from '../interpreters/methods.js';
import type { OwnMethod } from '../workflows/define-method.js';

export { type FidExample, type FidSource, fidLine } from '../evaluation/fid.js';

/**
 * Returns the example of a question: the passages retrieved, best first, then the documents
 * generated, as GenRead merges them (4.2.1, 4.3.1). A document has no title, and 1/rank for a
 * score.
 *
 * @param own Methods of your own, beside those that ship.
 * @throws Failure BadInput when the question failed, or the text of a passage is not given.
 */
export function fidExample(
  result: MethodResult,
  source: FidSource,
  own: readonly OwnMethod<unknown>[] = [],
): FidExample {
  return exampleBy(result, source, methodRegistry(own));
}
