/**
 * A method as its interpreters see it: a deterministic async function of its steps. What asking a
 * step does is the interpreter's business: an activity, a planned output, a scripted or a recorded
 * one. Safe in the workflow sandbox.
 */

import type { z } from 'zod';
import { checkAgainst } from '../core/options/checked.js';
import { BadInput } from '../core/options/problems.js';
import type { Conclusion, Flag } from '../core/result.js';
import type { StepRef } from '../steps/define.js';
import { modelSteps, otherSteps, type StepFunctions } from '../steps/table.js';

/** Our steps by name, each a function of its input. */
export type Steps = StepFunctions;

/** Asks one step: one of ours, or one that somebody has registered with the workers. */
export type Ask = <I, O>(step: StepRef<I, O>, input: I) => Promise<O>;

/** What a method's code works with. */
export interface Question<O> {
  question: string;
  options: O;
  step: Steps;
  /** Asks a step by itself: one that is registered with the workers beside ours. */
  ask: Ask;
  /** Notes on the result something a reader of the answer should know. */
  flag(kind: Flag['kind'], step: string, detail: string): void;
  /**
   * Tells whether this question has the change of this id: false for one that was under way and past
   * this place before the change, true for all others and without a Temporal server.
   *
   * @example
   * const passages = asked.patched('rerank first') ? await reranked() : await found();
   */
  patched(id: string): boolean;
  /**
   * Runs another method within this one. Its steps keep their names, and its flags are flags of
   * this question.
   *
   * @param options Those that differ from the defaults of the method.
   * @param question Another question; this one if it is left out.
   * @throws Failure BadInput for options that the method does not take: where it is planned or
   *   tested, since a worker's sandbox cannot check them.
   * @example
   * const { answer, evidence } = await asked.run(base, { passages: 5 });
   */
  run<P, C>(
    method: Runnable<P, C>,
    options?: Partial<NoInfer<P>>,
    question?: string,
  ): Promise<Conclusion<C>>;
}

/** Asks steps and concludes. */
export type Algorithm<O, C> = (asked: Question<O>) => Promise<Conclusion<C>>;

/** What is needed of a method that another one runs. */
export interface Runnable<O, C> {
  options: z.ZodType<O>;
  algorithm(asked: Question<O>): Promise<Conclusion<C>>;
  bound?(options: O): O;
}

/** One asking of a step. */
export interface Call {
  step: string;
  input: unknown;
  /** Its line for people: which candidate, which pair. */
  label: string;
}

/** A call with what came of it. */
export interface Done extends Call {
  output: unknown;
}

/**
 * Carries out one call.
 *
 * @param before The calls that have ended, in the order in which they did.
 */
export type Perform = (call: Call, before: readonly Done[]) => Promise<unknown>;

/** What an interpreter gives an algorithm. */
export interface Interpreter {
  perform: Perform;
  flag: Question<unknown>['flag'];
  /** True for every change if it is left out. */
  patched?: Question<unknown>['patched'];
  /**
   * Returns the options that a method is run with inside of another; by default those asked for,
   * once they are checked.
   */
  within?<O>(method: Runnable<O, unknown>, options: O): O;
}

/** Returns the options as they are. @throws Failure BadInput naming those that do not fit. */
export function checkedOptions<O>({ options: schema }: Runnable<O, unknown>, options: O): O {
  const { problems } = checkAgainst(schema, options, ['options']);
  if (problems) throw new BadInput(problems);
  return options;
}

/** Returns the options with which a method takes the most, once they are checked. */
export function boundOptions<O>(method: Runnable<O, unknown>, options: O): O {
  const checked = checkedOptions(method, options);
  return method.bound?.(checked) ?? checked;
}

/** Returns options with the defaults of those that are not given. Parses nothing: a sandbox cannot. */
function withDefaults<O>({ options: schema }: Runnable<O, unknown>, given: Partial<O>): O {
  const { shape = {} } = schema._zod.def as { shape?: z.core.$ZodLooseShape };
  const usual = Object.entries(shape).flatMap(([name, { _zod: declared }]) => {
    const { defaultValue } = declared.def as { defaultValue?: unknown };
    return defaultValue === undefined ? [] : [[name, defaultValue]];
  });
  return { ...Object.fromEntries(usual), ...given };
}

/** Returns the steps of a method, each carried out by `perform`. */
export function stepsOf(perform: (call: Call) => Promise<unknown>): { step: Steps; ask: Ask } {
  const ask = <I, O>({ name, label }: StepRef<I, O>, input: I) =>
    perform({ step: name, input, label: label(input) }) as Promise<O>;
  const declared = Object.entries<{ label: (input: never) => string }>({
    ...modelSteps,
    ...otherSteps,
  });
  const step = Object.fromEntries(
    declared.map(([name, { label }]) => {
      const ref = { name, label: label as StepRef<unknown, unknown>['label'] };
      return [name, (input: unknown) => ask(ref, input)];
    }),
  ) as Steps;
  return { step, ask };
}

/** Runs an algorithm over a question, and keeps what each of its calls was given and gave. */
export async function run<O, C>(
  algorithm: Algorithm<O, C>,
  { question, options }: Pick<Question<O>, 'question' | 'options'>,
  { perform, flag, patched = () => true, within = checkedOptions }: Interpreter,
): Promise<{ conclusion: Conclusion<C>; calls: Done[] }> {
  const calls: Done[] = [];
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
