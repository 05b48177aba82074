/** The table of steps. Pure. */
import type { DeclaredStep, ModelStep, ModelSteps } from './define.js';
import * as others from './other.js';
import * as registered from './registry.js';

export const modelSteps = registered;

export const otherSteps = others;
export type OtherStep = keyof typeof otherSteps;

export function asksNoModel(step: string): step is OtherStep {
  return Object.hasOwn(otherSteps, step);
}

/** Returns a step that asks a model, one of somebody's own or ours; undefined for another. */
export function stepNamed(name: string, own: ModelSteps = {}) {
  const step = own[name] ?? modelSteps[name as StepName];
  return step as ModelStep<object, unknown> | undefined;
}

/** What `models` of an input can name. */
export type StepName = keyof typeof modelSteps;
export const STEP_NAMES = Object.keys(modelSteps) as readonly StepName[];

type Steps = typeof modelSteps & typeof otherSteps;
type InputOf<D> =
  D extends ModelStep<infer I, infer _> ? I : D extends DeclaredStep<infer I, unknown> ? I : never;
type ResultOf<D> =
  D extends ModelStep<infer _, infer O> ? O : D extends DeclaredStep<never, infer O> ? O : never;

/** A step as a method sees it: an input, a typed result. */
export type StepFunctions = {
  [S in keyof Steps]: (input: InputOf<Steps[S]>) => Promise<ResultOf<Steps[S]>>;
};
