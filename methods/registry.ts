/** Methods by their names. Pure. */
import { Failure } from './failure.js';
import type { OwnMethod } from './method.js';
import { suggestion } from './options/nearest.js';

/** Ours and those that somebody has added, by name. */
export type MethodRegistry = ReadonlyMap<string, OwnMethod<unknown>>;

/**
 * @param field where the name stands, if it stands in a field or a flag.
 * @throws Failure BadInput naming the one that was meant, or all there are.
 */
export function methodNamed(
  name: string,
  registry: MethodRegistry,
  field?: string,
): OwnMethod<unknown> {
  const method = registry.get(name);
  if (method) return method;
  throw new Failure(
    'BadInput',
    `${field === undefined ? 'There' : `${field}: there`} is no method "${name}"${suggestion(name, [...registry.keys()])}`,
  );
}
