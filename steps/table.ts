/** The table of steps, as far as workflows and the checks of an input load it. Pure. */
import * as declared from './declared.js';
import type { DeclaredStep } from './define.js';
import * as others from './other/declared.js';

/** The steps that ask a language model. */
export const declaredSteps = declared;

/** The steps that ask none. */
export const otherSteps = others;

/** What `models` of an input can name. */
export type StepName = keyof typeof declared;
export const STEP_NAMES = Object.keys(declared) as readonly StepName[];

type Steps = typeof declared & typeof others;
type InputOf<D> = D extends DeclaredStep<infer I, unknown> ? I : never;
type ResultOf<D> = D extends DeclaredStep<never, infer O> ? O : never;

/** A step as a method sees it: an input, a typed result. */
export type StepFunctions = {
  [S in keyof Steps]: (input: InputOf<Steps[S]>) => Promise<ResultOf<Steps[S]>>;
};
