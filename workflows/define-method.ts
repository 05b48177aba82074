/** Declares methods, shipped or custom. Pure. */
import { z } from 'zod';
import type { Method } from '../core/method.js';
import type { MethodRegistry } from '../core/method-registry.js';
import type { Conclusion } from '../core/result.js';
import type { Question } from './algorithm.js';

/**
 * The version of a method's code as a run's manifest records it: hashes by which a later start
 * detects changes.
 */
export interface MethodCode {
  /** Hash of all the code: 12 hex digits. */
  version: string;
  /**
   * Hashes of 12 hex digits, by file and by declaration in it. A file is named by its path relative
   * to the method's, without extension.
   */
  files: Record<string, Record<string, string>>;
  /** Versions whose runs this version may continue. */
  continues?: string[];
}

/**
 * A method that a worker or client knows, a custom or a shipped one. Its code is present if it was
 * loaded.
 */
export interface OwnMethod<O, C = never> extends Method<O, C> {
  /** URL or path of the declaring file, from which workers make its workflow. */
  module?: string | undefined;
  /**
   * Earlier versions of the code, as a run's `RunMismatch` names them, whose runs this version may
   * continue. Changes since then must be guarded by `patched`.
   */
  continues?: readonly string[] | undefined;
  /** Returns the code as it was loaded; undefined if unknown. */
  code?(): MethodCode | undefined;
  /** Names of custom steps that are part of the code. */
  codeSteps?: readonly string[] | undefined;
  /**
   * The code that its workflow runs and a dry run plans with; undefined if only the name of the
   * method is known.
   */
  algorithm?(asked: Question<O>): Promise<Conclusion<unknown>>;
  /**
   * Returns options with which a question takes at least as much as with the chosen ones. Needed
   * only if the costliest outputs do not make a question take the most. A dry run then shows a
   * bound that few questions reach.
   */
  bound?(options: O): O;
}

/** The registry of all methods that a worker or client knows, custom and shipped, by name. */
export type OwnMethods = MethodRegistry<OwnMethod<unknown>>;

/** A method with its algorithm, as `defineMethod` returns it. */
export interface DefinedMethod<O, C, N extends string = string> extends OwnMethod<O, C> {
  name: N;
  algorithm(asked: Question<O>): Promise<Conclusion<C>>;
}

/** Options by name, or the schema of all of them. */
type Declared = z.core.$ZodLooseShape | z.ZodType;

/** Options as an algorithm gets them. */
type Chosen<D extends Declared> = D extends z.ZodType
  ? z.output<D>
  : D extends z.core.$ZodLooseShape
    ? z.output<z.ZodObject<D, z.core.$strict>>
    : never;

/** Defaults of the source and the figures of a method. */
const UNSAID = { source: 'A method of your own', figures: 'none' };

/**
 * Returns the declaration of a method: its options, its algorithm, and what `durable-rag methods`,
 * a dry run and a report show of it. Workers make its workflow, which has the same name, from the
 * module that exports it.
 *
 * @param method `module` is `import.meta.url`. `options` are schemas with defaults by name, or one
 * schema of all of them. The title defaults to the name. The type of the chain is that of `view`'s
 * parameter; the compiler checks the algorithm's chain against it.
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

/** Returns whether a value is a method with its algorithm, as `defineMethod` returns it. */
export function isDefinedMethod(value: unknown): value is DefinedMethod<unknown, unknown> {
  const { name, options, algorithm } = Object(value) as Partial<OwnMethod<unknown>>;
  return typeof name === 'string' && options !== undefined && typeof algorithm === 'function';
}

/**
 * Returns the method of this name from the exports of a module.
 *
 * @throws Error if the module exports no method of this name.
 */
export function methodIn(module: object, name: string): DefinedMethod<unknown, unknown> {
  const found = Object.values(module).find(
    (value) => isDefinedMethod(value) && value.name === name,
  );
  if (found) return found;
  throw new Error(`The module exports no method "${name}".`);
}
