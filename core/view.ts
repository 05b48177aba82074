/** What a method brings so that its chain can be told. Types only. */
import type { MethodResult } from './result.js';
import type { Section } from './section.js';

/** What there is to know of a result besides its chain. */
export type ViewContext = Pick<MethodResult, 'answer' | 'evidence'>;

/**
 * Tells a chain as sections, the most telling ones first. Pure.
 *
 * @example
 * const draftView: View<DraftChain> = ({ draft, passages }) => [
 *   ...section('Draft', text(draft)),
 *   ...passageSection(passages),
 * ];
 */
export type View<C = never> = (chain: C, context: ViewContext) => Section[];

/** By the names of the methods. Each is given the chain of its own method. */
export type Views = Readonly<Record<string, View>>;
