/** The table of all shipped steps by name. Pure. */
import * as allies from './allies.js';
import * as chainOfNote from './chain-of-note.js';
import * as corag from './corag.js';
import { type DeclaredStep, isStep, type ModelStep, type ModelSteps } from './define.js';
import * as followUps from './follow-ups.js';
import * as genread from './genread.js';
import * as judging from './judge-claim.js';
import * as llatrieval from './llatrieval.js';
import * as others from './non-model-steps.js';
import * as proposing from './propose-prompt.js';
import * as queries from './queries.js';
import * as react from './react.js';
import * as readers from './readers.js';
import * as selfVerification from './self-verification.js';
import * as sure from './sure.js';
import * as thinking from './think.js';
import * as thoughts from './thoughts.js';

const exported = {
  ...allies,
  ...chainOfNote,
  ...corag,
  ...followUps,
  ...genread,
  ...judging,
  ...llatrieval,
  ...proposing,
  ...queries,
  ...react,
  ...readers,
  ...selfVerification,
  ...sure,
  ...thinking,
  ...thoughts,
};

type Exported = typeof exported;

/** The declarations of the shipped steps that ask a model, by name, in alphabetical order. */
export const modelSteps = Object.fromEntries(
  Object.entries(exported)
    .filter(([, value]) => isStep(value))
    .sort(([a], [b]) => (a < b ? -1 : 1)),
) as {
  // biome-ignore lint/suspicious/noExplicitAny: a step of any input
  [N in keyof Exported as Exported[N] extends ModelStep<any, any> ? N : never]: Exported[N];
};

/** The declarations of the shipped steps that ask no model, by name. */
export const nonModelSteps = others;
/** The name of a shipped step that asks no model. */
export type NonModelStep = keyof typeof nonModelSteps;

/** Returns whether a name is that of a shipped step that asks no model. */
export function asksNoModel(step: string): step is NonModelStep {
  return Object.hasOwn(nonModelSteps, step);
}

/**
 * Returns the declaration of the custom or shipped step with a name; undefined unless it asks a
 * model. Custom steps take precedence.
 */
export function stepNamed(name: string, own: ModelSteps = {}) {
  const step = own[name] ?? modelSteps[name as StepName];
  return step as ModelStep<object, unknown> | undefined;
}

/** The name of a shipped step that asks a model. */
export type StepName = keyof typeof modelSteps;
/** The names of the shipped steps that ask a model, in alphabetical order. */
export const STEP_NAMES = Object.keys(modelSteps) as readonly StepName[];

type ShippedSteps = typeof modelSteps & typeof nonModelSteps;
type InputOf<D> =
  D extends ModelStep<infer I, infer _> ? I : D extends DeclaredStep<infer I, unknown> ? I : never;
type ResultOf<D> =
  D extends ModelStep<infer _, infer O> ? O : D extends DeclaredStep<never, infer O> ? O : never;

/**
 * The functions by which a method asks the shipped steps, by name: each takes the step's input and
 * resolves to its output.
 */
export type Steps = {
  [S in keyof ShippedSteps]: (
    input: InputOf<ShippedSteps[S]>,
  ) => Promise<ResultOf<ShippedSteps[S]>>;
};
