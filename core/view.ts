/** A method's view of its chain. Types only. */
import type { MethodResult } from './result.js';
import type { Section } from './section.js';

/** Parts of a result that a view may use beside the chain. */
export type ViewContext = Pick<MethodResult, 'answer' | 'evidence'>;

/**
 * Returns a chain as sections, the most important first. Pure.
 *
 * @example
 * const draftView: View<DraftChain> = ({ draft }) => [
 *   { title: 'Draft', blocks: [{ type: 'text', text: draft }] },
 * ];
 */
export type View<C = never> = (chain: C, context: ViewContext) => Section[];
