/** The type of functions that show a method's chain. Types only. */
import type { MethodResult } from './result.js';
import type { Section } from './section.js';

/**
 * The `answer` of a result (null without one) and its `evidence`, the ids of the passages that the
 * answer rests on, which a view can use in addition to the chain.
 */
export type ViewContext = Pick<MethodResult, 'answer' | 'evidence'>;

/**
 * A function that returns the sections by which a method's chain is shown, the most important
 * first. Pure.
 *
 * @example
 * const draftView: View<DraftChain> = ({ draft }) => [
 *   { title: 'Draft', blocks: [{ type: 'text', text: draft }] },
 * ];
 */
export type View<C = never> = (chain: C, context: ViewContext) => Section[];
