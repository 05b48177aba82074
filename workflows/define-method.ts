/** How a method is declared: one that ships, or one of your own. Pure. */
import { z } from 'zod';
import type { Method } from '../core/method.js';
import type { MethodRegistry } from '../core/registry.js';
import type { Conclusion } from '../core/result.js';
import type { Question } from './algorithm.js';

/** The code of a method, as a run keeps it. */
export interface MethodCode {
  /** A hash of all of it: 12 hex digits. */
  version: string;
  /**
   * By file, as a path from the method's without its ending, and by declaration in it: a hash of 12 hex
   * digits.
   */
  files: Record<string, Record<string, string>>;
  /** Versions of which this one continues runs. */
  continues?: string[];
}

/** A method as everything that works with methods sees it. */
export interface OwnMethod<O, C = never> extends Method<O, C> {
  /** The file that declares it, as a URL or a path: workers make its workflow from there. */
  module?: string | undefined;
  /**
   * Hashes of earlier versions of the code, as a run's `RunMismatch` names them, of which this one
   * continues runs: what it does otherwise stands under `patched`.
   */
  continues?: readonly string[] | undefined;
  /** Returns the code as it was loaded; undefined if that is not known. */
  code?(): MethodCode | undefined;
  /** The names of steps of one's own that the code holds. */
  codeSteps?: readonly string[] | undefined;
  /** What its workflow runs: a dry run plans by it. Undefined if only the name is known. */
  algorithm?(asked: Question<O>): Promise<Conclusion<unknown>>;
  /**
   * Returns options with which a question takes at least what it can take with the chosen ones.
   * Only for a method of which the costliest outputs do not make a question take the most. A dry
   * run is then a bound that few questions reach.
   */
  bound?(options: O): O;
}

/** Ours and those that somebody has added, by name. */
export type OwnMethods = MethodRegistry<OwnMethod<unknown>>;

/** A method with its algorithm: what `defineMethod` returns. */
export interface DefinedMethod<O, C, N extends string = string> extends OwnMethod<O, C> {
  name: N;
  algorithm(asked: Question<O>): Promise<Conclusion<C>>;
}

/** Options by their names, or the schema of all of them. */
type Declared = z.core.$ZodLooseShape | z.ZodType;

/** The options as an algorithm gets them. */
type Chosen<D extends Declared> = D extends z.ZodType
  ? z.output<D>
  : D extends z.core.$ZodLooseShape
    ? z.output<z.ZodObject<D, z.core.$strict>>
    : never;

/** What is said of a method that has no other default. */
const UNSAID = { source: 'A method of your own', figures: 'none' };

/**
 * Declares a method: its options, its algorithm, and what `durable-rag methods`, a dry run and a
 * report tell of it. Workers make its workflow, which has the same name, from the module that
 * exports it.
 *
 * @param method `module` is `import.meta.url`. `options` are schemas with defaults by their names,
 *   or one schema of all of them. The title is the name if it is left out. A `view` names the type
 *   of its chain, which the algorithm's is checked against.
 * @example
 * export const lookTwice = defineMethod({
 *   module: import.meta.url,
 *   name: 'lookTwice',
 *   options: { passages: passageCount },
 *   async algorithm({ question, options, step, ask }) { ... },
 * });
 */
export function defineMethod<
  const D extends Declared,
  C,
  R extends Conclusion<C>,
  const N extends string,
>(
  method: Partial<Omit<Method<Chosen<D>, C>, 'name' | 'options' | 'steps'>> & {
    module?: string | undefined;
    continues?: readonly string[] | undefined;
    name: N;
    options: D;
    algorithm(asked: Question<Chosen<D>>): Promise<R>;
    bound?(options: Chosen<D>): Chosen<D>;
  },
): DefinedMethod<Chosen<D>, R['chain'], N> {
  const { options } = method;
  const schema = options instanceof z.ZodType ? options : z.strictObject(options);
  return {
    title: method.name,
    ...UNSAID,
    ...method,
    options: schema,
  } as unknown as DefinedMethod<Chosen<D>, R['chain'], N>;
}

/** Tells whether a value is a method with its algorithm. */
export function isDefined(value: unknown): value is DefinedMethod<unknown, unknown> {
  const { name, options, algorithm } = Object(value) as Partial<OwnMethod<unknown>>;
  return typeof name === 'string' && options !== undefined && typeof algorithm === 'function';
}

/**
 * Returns the method of a name that a module exports.
 *
 * @throws Error if it exports none.
 */
export function methodIn(module: object, name: string): DefinedMethod<unknown, unknown> {
  const found = Object.values(module).find((value) => isDefined(value) && value.name === name);
  if (found) return found;
  throw new Error(`The module exports no method "${name}".`);
}
