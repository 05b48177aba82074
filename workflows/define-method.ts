import type { Method } from '../core/method.js';
import type { MethodRegistry } from '../core/registry.js';
import type { Conclusion } from '../core/result.js';
import type { Algorithm, Question } from './algorithm.js';

/** A method: one that ships, or one of somebody's own. */
export interface OwnMethod<O, C = never> extends Method<O, C> {
  /** What its workflow runs: a dry run plans by it. Without it a dry run knows no calls. */
  algorithm?(asked: Question<O>): Promise<Conclusion<unknown>>;
  /**
   * Options with which a question takes at least what it can take with the chosen ones. Said only
   * where outputs as long as they can be do not make a question take the most: a dry run is then a
   * bound that few questions reach.
   */
  bound?(options: O): O;
}

/** Ours and those that somebody has added, by name. */
export type OwnMethods = MethodRegistry<OwnMethod<unknown>>;

/** What a method must say; the rest has a default. */
export type MethodDefinition<O, C = never> = Pick<OwnMethod<O>, 'name' | 'title' | 'options'> &
  Partial<OwnMethod<O, C>>;

/** What a method declares its algorithm to be: of which options, and to which chain. */
export type AlgorithmOf<M> = M extends OwnMethod<infer O, infer C> ? Algorithm<O, C> : never;

/**
 * Describes a method: its options, its algorithm, and what `durable-rag methods`, a dry run and a
 * report tell of it. Its workflow has the same name.
 */
export function defineMethod<O, C = never>(
  method: MethodDefinition<O, C>,
): OwnMethod<O, C> & { steps: readonly string[] } {
  return {
    source: 'A method of your own',
    callsFormula: 'not said',
    figures: 'none',
    ...method,
    steps: method.steps ?? [],
  };
}
