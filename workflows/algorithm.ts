/**
 * A method as its interpreters see it: a deterministic async function of its steps. What asking a
 * step does is the interpreter's business: an activity, a planned output, a scripted or a recorded
 * one. Safe in the workflow sandbox.
 */

import type { Conclusion, Flag } from '../core/result.js';
import type { StepRef } from '../steps/define.js';
import { modelSteps, otherSteps, type StepFunctions } from '../steps/table.js';

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
}

/** Asks steps and concludes. Imports neither Temporal nor zod. */
export type Algorithm<O, C> = (asked: Question<O>) => Promise<Conclusion<C>>;

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
  { perform, flag }: Interpreter,
): Promise<{ conclusion: Conclusion<C>; calls: Done[] }> {
  const calls: Done[] = [];
  const steps = stepsOf(async (call) => {
    const output = await perform(call, calls);
    calls.push({ ...call, output });
    return output;
  });
  const conclusion = await algorithm({ question, options, ...steps, flag });
  return { conclusion, calls };
}
