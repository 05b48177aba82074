/** Methods by their names. Pure. */
import { Failure } from './failure.js';
import type { Method } from './method.js';
import { nearest, suggestion } from './options/nearest.js';
import { badInput } from './options/problems.js';

/** The shipped methods and those of your own, by name. */
export type MethodRegistry<M = Method<unknown>> = ReadonlyMap<string, M>;

/**
 * @param field where the name stands, if it stands in a field.
 * @throws Failure BadInput naming the one that was meant, or all there are.
 */
export function methodNamed<M>(name: string, registry: MethodRegistry<M>, field?: string): M {
  const method = registry.get(name);
  if (method) return method;
  const known = [...registry.keys()];
  const own =
    nearest(name, known) === undefined
      ? '; one of your own is known where its durable-rag.config.ts is (or --config FILE)'
      : '';
  const none = `is no method "${name}"${suggestion(name, known)}${own}`;
  throw field === undefined
    ? new Failure('BadInput', `There ${none}`)
    : badInput(field, `there ${none}`);
}
