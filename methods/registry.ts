/** All methods in one place. */
import { baseMethod } from './base.js';
import type { Method } from './method.js';
import { sureMethod } from './sure.js';

export const methods = { sure: sureMethod, base: baseMethod };

export type MethodName = keyof typeof methods;

/** The options of a method by its name. */
export type OptionsOf<M extends MethodName> =
  (typeof methods)[M] extends Method<infer O> ? O : never;

/** Whether there is a method of this name. */
export function isMethod(name: string): name is MethodName {
  return Object.hasOwn(methods, name);
}
