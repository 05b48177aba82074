/** Actions: steps of your own that ask no model, such as a calculator, a query or a request. Pure. */
import type { ModelStep, StepRef } from './define.js';

/** What an action is given beside its input. */
export interface ActionContext {
  /**
   * The same for every attempt of this call, on whichever worker, and for an equal call: hand it to a
   * service that does a thing once for each key. It is the call's address: step and hash of the input.
   */
  idempotencyKey: string;
  /** The workflow of the question, which tells equal calls of different questions apart. */
  workflowId: string;
  /** Fires when the question is cancelled, or the call has used up its time. */
  signal: AbortSignal;
}

/** An action as methods see it, and as workers carry it out. */
export interface Action<I, O> extends StepRef<I, O> {
  /**
   * Carries it out in an activity: retried if it throws, within the limits of the question. It may
   * be left out where the method is, and declared under `steps` of a worker, if it needs modules that
   * a workflow may not import.
   */
  act?(input: I, context: ActionContext): Promise<O> | O;
  /**
   * Whether it changes something elsewhere. Then equal calls of a question are carried out once, and
   * give the same.
   */
  hasSideEffects?: boolean;
  /** Returns the longest output, with which a dry run goes on. */
  longest(input: I): O;
}

/** Marks what `defineAction` has made. */
interface Defined {
  readonly asksNoModel: true;
}

/** A custom action of any input and output, as lists of actions have it. */
// biome-ignore lint/suspicious/noExplicitAny: an input is only known to the action itself
export type AnyAction = Action<any, any>;
/** A custom step: one that asks a model, or an action. */
// biome-ignore lint/suspicious/noExplicitAny: an input is only known to the step itself
export type OwnStep = ModelStep<any, any> | AnyAction;

/**
 * Declares an action. An algorithm asks it as any step of its own; its output is JSON and stands in
 * the history.
 *
 * @example
 * export const add = defineAction<{ a: number; b: number }, number>({
 *   name: 'add',
 *   act: ({ a, b }) => a + b,
 *   longest: () => 0,
 * });
 */
export function defineAction<I, O>(
  action: Omit<Action<I, O>, 'label'> & Partial<Pick<Action<I, O>, 'label'>>,
): Action<I, O> {
  const defined: Action<I, O> & Defined = { label: () => '', ...action, asksNoModel: true };
  return defined;
}

/** Tells whether a value is an action. */
export function isAction(value: unknown): value is AnyAction {
  return (Object(value) as Partial<Defined>).asksNoModel === true;
}
