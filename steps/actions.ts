/**
 * Actions: custom steps that run code and ask no model, such as a calculator, a query or a request.
 * Pure.
 */
import type { ModelStep, StepRef } from './define.js';

/**
 * The values that an action gets besides its input: an idempotency key, the question's workflow
 * id, and a signal to abort.
 */
export interface ActionContext {
  /**
   * Key for a service that performs equal requests once: the same for every attempt of this call on
   * any worker, and for equal calls. It consists of the step's name and a hash of the input.
   */
  idempotencyKey: string;
  /** Workflow id of the question, which distinguishes equal calls of different questions. */
  workflowId: string;
  /** Signal that aborts when the question is cancelled, or when the time of the call is over. */
  signal: AbortSignal;
}

/**
 * A custom step that runs code instead of asking a model: its name, the function to run, and the
 * longest output that it can have.
 */
export interface Action<I, O> extends StepRef<I, O> {
  /**
   * Performs the action in an activity and returns its output, which must be JSON. If it throws, it
   * is retried within the limits of the question. If it needs modules that a workflow may not
   * import, leave it out in the method's file, and declare the action with it under `steps` of a
   * worker.
   */
  act?(input: I, context: ActionContext): Promise<O> | O;
  /**
   * Whether it changes something elsewhere. Equal calls of a question are then performed once, and
   * have the same output. @default false
   */
  hasSideEffects?: boolean;
  /** Returns the longest possible output for an input, with which a dry run continues. */
  longest(input: I): O;
}

/** Marker of the objects that `defineAction` returns. */
interface Defined {
  readonly asksNoModel: true;
}

/** An action with any input and output. */
// biome-ignore lint/suspicious/noExplicitAny: an input is only known to the action itself
export type AnyAction = Action<any, any>;
/** A custom step: one that asks a model, or an action. */
// biome-ignore lint/suspicious/noExplicitAny: an input is only known to the step itself
export type OwnStep = ModelStep<any, any> | AnyAction;

/**
 * Returns the declaration of an action, whose label is empty unless given. A method calls it like
 * any other step; its output must be JSON, and is recorded in the workflow's history.
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

/** Returns whether a value was returned by `defineAction`. */
export function isAction(value: unknown): value is AnyAction {
  return (Object(value) as Partial<Defined>).asksNoModel === true;
}
