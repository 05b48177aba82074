/**
 * A method as its interpreters see it: a deterministic async function of its steps. An interpreter
 * decides what asking a step does: an activity, a planned output, a scripted or a recorded one. Safe
 * in the workflow sandbox.
 */

import type { z } from 'zod';
import { checkAgainst } from '../core/options/checked.js';
import { BadInput } from '../core/options/problems.js';
import type { Conclusion, Flag } from '../core/result.js';
import { type AnyAction, isAction } from '../steps/actions.js';
import type { StepRef } from '../steps/define.js';
import { modelSteps, nonModelSteps, type Steps } from '../steps/table.js';

/**
 * A function that asks one step, a shipped one or a custom one registered with the workers, and
 * resolves with its output.
 */
export type Ask = <I, O>(step: StepRef<I, O>, input: I) => Promise<O>;

/** The argument of an algorithm: one question with its options, and functions that ask steps. */
export interface Question<O> {
  question: string;
  options: O;
  step: Steps;
  /** Asks a custom step that is registered with the workers. */
  ask: Ask;
  /** Adds a note to the result that a reader of the answer should know. */
  flag(kind: Flag['kind'], step: string, detail: string): void;
  /**
   * Returns whether this question runs with the change of this id. False if it had passed a place
   * with this id before the change was made; then at every later place as well. True for all other
   * questions, and without a Temporal server.
   *
   * @example
   * const passages = asked.patched('rerank first') ? await reranked() : await found();
   */
  patched(id: string): boolean;
  /**
   * Runs another method within this one. Its steps keep their names, and its flags become flags of
   * this question.
   *
   * @param options Options that differ from the method's defaults.
   * @param question Another question; this one if left out.
   * @throws Failure BadInput for options that the method does not take. Only planning and tests
   * check them; a worker's sandbox cannot.
   * @example
   * const { answer, evidence } = await asked.run(base, { passages: 5 });
   */
  run<P, C>(
    method: Runnable<P, C>,
    options?: Partial<NoInfer<P>>,
    question?: string,
  ): Promise<Conclusion<C>>;
}

/** The code of a method: a function that asks steps about a question and returns the conclusion. */
export type Algorithm<O, C> = (asked: Question<O>) => Promise<Conclusion<C>>;

/** The parts of a method that another method needs to run it: its options and its algorithm. */
export interface Runnable<O, C> {
  options: z.ZodType<O>;
  algorithm(asked: Question<O>): Promise<Conclusion<C>>;
  bound?(options: O): O;
}

/** One call of a step: the step's name, its input, and a label for people. */
export interface Call {
  step: string;
  input: unknown;
  /** Description for people, such as the candidate or pair it is about. */
  label: string;
  /** The action to carry out, if the step is one. */
  action?: AnyAction;
}

/** A finished call and its output. */
export interface FinishedCall extends Call {
  output: unknown;
}

/**
 * A function that carries out one call of a step and returns the step's output.
 *
 * @param before The finished calls, in the order in which they ended.
 */
export type Perform = (call: Call, before: readonly FinishedCall[]) => Promise<unknown>;

/**
 * The functions that an interpreter provides to run an algorithm: the one that carries out a call,
 * the one that adds a flag, and optionally those for `patched` and for the options of a nested
 * method.
 */
export interface Interpreter {
  perform: Perform;
  flag: Question<unknown>['flag'];
  /** True for every change if left out. */
  patched?: Question<unknown>['patched'];
  /**
   * Returns the options with which a nested method runs. By default they are the given ones,
   * checked.
   */
  within?<O>(method: Runnable<O, unknown>, options: O): O;
}

/**
 * Checks options against a method's schema. Returns them unchanged, so those left out stay absent.
 *
 * @throws Failure BadInput naming those that do not fit.
 */
export function checkedOptions<O>({ options: schema }: Runnable<O, unknown>, options: O): O {
  const { problems } = checkAgainst(schema, options, ['options']);
  if (problems) throw new BadInput(problems);
  return options;
}

/**
 * Checks options, and returns those for an upper bound: a question makes at least as many calls
 * with them as with the given ones.
 *
 * @throws Failure BadInput naming those that do not fit.
 */
export function boundOptions<O>(method: Runnable<O, unknown>, options: O): O {
  const checked = checkedOptions(method, options);
  return method.bound?.(checked) ?? checked;
}

/**
 * Returns options with defaults for the missing ones. Does not parse them, since a sandbox cannot.
 */
function withDefaults<O>({ options: schema }: Runnable<O, unknown>, given: Partial<O>): O {
  const { shape = {} } = schema._zod.def as { shape?: z.core.$ZodLooseShape };
  const usual = Object.entries(shape).flatMap(([name, { _zod: declared }]) => {
    const { defaultValue } = declared.def as { defaultValue?: unknown };
    return defaultValue === undefined ? [] : [[name, defaultValue]];
  });
  return { ...Object.fromEntries(usual), ...given };
}

/**
 * Returns `step`, the functions that ask shipped steps by name, and `ask`, the function that asks
 * a custom one.
 *
 * @param perform Carries out each call.
 */
export function stepsOf(perform: (call: Call) => Promise<unknown>): { step: Steps; ask: Ask } {
  const ask = <I, O>(ref: StepRef<I, O>, input: I) => {
    const call = { step: ref.name, input, label: ref.label(input) };
    return perform(isAction(ref) ? { ...call, action: ref } : call) as Promise<O>;
  };
  const declared = Object.entries<{ label: (input: never) => string }>({
    ...modelSteps,
    ...nonModelSteps,
  });
  const step = Object.fromEntries(
    declared.map(([name, { label }]) => {
      const ref = { name, label: label as StepRef<unknown, unknown>['label'] };
      return [name, (input: unknown) => ask(ref, input)];
    }),
  ) as Steps;
  return { step, ask };
}

/**
 * Runs an algorithm on a question; returns its conclusion and all calls with their outputs, in the
 * order in which they ended.
 */
export async function runAlgorithm<O, C>(
  algorithm: Algorithm<O, C>,
  { question, options }: Pick<Question<O>, 'question' | 'options'>,
  { perform, flag, patched = () => true, within = checkedOptions }: Interpreter,
): Promise<{ conclusion: Conclusion<C>; calls: FinishedCall[] }> {
  const calls: FinishedCall[] = [];
  const steps = stepsOf(async (call) => {
    const output = await perform(call, calls);
    calls.push({ ...call, output });
    return output;
  });
  const asked = <P>(about: string, chosen: P): Question<P> => ({
    question: about,
    options: chosen,
    ...steps,
    flag,
    patched,
    run: (method, given = {}, other = about) =>
      method.algorithm(asked(other, within(method, withDefaults(method, given)))),
  });
  const conclusion = await algorithm(asked(question, options));
  return { conclusion, calls };
}
