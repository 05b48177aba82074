/** Finds methods by name. Pure. */
import { Failure } from './failure.js';
import type { Method } from './method.js';
import { nearest, suggestion } from './options/nearest.js';
import { badInput } from './options/problems.js';

/** A map of the shipped and custom methods by the method's name. */
export type MethodRegistry<M = Method<unknown>> = ReadonlyMap<string, M>;

/**
 * Returns the method that has a name in a registry.
 *
 * @param field Name of the input field that contains the method's name, for the message; left out,
 * the message names no field.
 * @throws Failure BadInput with the name that was probably meant, or all names.
 */
export function methodNamed<M>(name: string, registry: MethodRegistry<M>, field?: string): M {
  const method = registry.get(name);
  if (method) return method;
  const known = [...registry.keys()];
  const own =
    nearest(name, known) === undefined
      ? '; commands find one of your own by durable-rag.config.ts (or --config FILE)'
      : '';
  const none = `is no method "${name}"${suggestion(name, known)}${own}`;
  throw field === undefined
    ? new Failure('BadInput', `There ${none}`)
    : badInput(field, `there ${none}`);
}
