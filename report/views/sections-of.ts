import type { MethodRegistry } from '../../core/registry.js';
import type { MethodResult } from '../../core/result.js';
import type { Section } from '../../core/section.js';
import type { ViewContext } from '../../core/view.js';
import { defaultView } from './default.js';
import { note, section } from './parts.js';

/**
 * Returns what led to an answer; nothing without a chain. If a view cannot read a chain (of another
 * version), that is said, and the default view is used.
 *
 * @param methods those that have a view; the others are told by all of their fields.
 */
export function sectionsOf(
  { method, chain, answer, evidence }: Pick<MethodResult, 'method' | 'chain'> & ViewContext,
  methods: MethodRegistry,
): Section[] {
  if (chain === null) return [];
  const context = { answer, evidence };
  const view = methods.get(method)?.view;
  if (!view) return defaultView(chain, context);
  try {
    return view(chain as never, context);
  } catch (error) {
    const words = `The view of ${method} cannot show this chain: ${error}`;
    return [...section('View', note(words)), ...defaultView(chain, context)];
  }
}
