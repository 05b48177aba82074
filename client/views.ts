/** What a program imports to tell how an answer came about: `import { sectionsOf } from 'durable-rag/views'`. */
import type { OwnMethod } from '../methods/method.js';
import type { MethodResult } from '../methods/result.js';
import type { Section } from '../methods/section.js';
import type { ViewContext } from '../methods/view.js';
import { sectionsOf as sectionsBy } from '../views/sections-of.js';
import { methodRegistry } from '../workflows/methods.js';

export * from '../views/index.js';

/**
 * What led to an answer; nothing where a result has no chain. A view that cannot read the chain, as
 * one that another version wrote, is told of, and all fields of the chain stand in.
 *
 * @param own Methods of your own, beside those that ship.
 */
export function sectionsOf(
  result: Pick<MethodResult, 'method' | 'chain'> & ViewContext,
  own: readonly OwnMethod<unknown>[] = [],
): Section[] {
  return sectionsBy(result, methodRegistry(own));
}
