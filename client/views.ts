/** What a program imports to tell how an answer came about: `import { sectionsOf } from 'durable-rag/views'`. */

import type { MethodResult } from '../core/result.js';
import type { Section } from '../core/section.js';
import type { ViewContext } from '../core/view.js';
import { methodRegistry } from '../interpreters/methods.js';
import { sectionsOf as sectionsBy } from '../report/views/default.js';
import type { OwnMethod } from '../workflows/define-method.js';

export type {
  Block,
  Card,
  Chip,
  PassageItem,
  PassageName,
  Section,
  Tone,
  TreeNode,
} from '../core/section.js';
export type { View, ViewContext } from '../core/view.js';
export { drawSections } from '../report/views/terminal.js';

/**
 * Returns what led to an answer; nothing without a chain. If a view cannot read a chain (of another
 * version), that is said, and all its fields are shown.
 *
 * @param own Methods of your own, beside those that ship.
 */
export function sectionsOf(
  result: Pick<MethodResult, 'method' | 'chain'> & ViewContext,
  own: readonly OwnMethod<unknown>[] = [],
): Section[] {
  return sectionsBy(result, methodRegistry(own));
}
