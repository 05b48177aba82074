/** The shipped methods with the steps that each can ask, and the registry with custom methods. */
import { z } from 'zod';
import { Failure } from '../core/failure.js';
import { parseRun, type RunSpec } from '../core/run/input.js';
import { STEP_NAMES } from '../steps/table.js';
import type {
  DefinedMethod,
  MethodCode,
  OwnMethod,
  OwnMethods,
} from '../workflows/define-method.js';
import type * as jobs from '../workflows/jobs.js';
import * as shipped from '../workflows/shipped.js';
import { methodCode } from './method-code.js';
import { stepsAsked } from './steps-asked.js';

/** The name of a shipped method. */
export type MethodName = keyof typeof shipped;

/** The type of all methods by name: the shipped ones, and custom ones whose names are literals. */
export type MethodsWith<Own extends readonly (OwnMethod<unknown> | string)[]> = typeof shipped & {
  [M in Exclude<Own[number], string> as string extends M['name'] ? never : M['name']]: M;
};

/** The type of a method's options, by its name; a union for several names. */
export type OptionsOf<M extends keyof Known, Known = typeof shipped> = M extends keyof Known
  ? Known[M] extends OwnMethod<infer O>
    ? O
    : never
  : never;

/** The type of the chain in a method's result, by its name; a union for several names. */
export type ChainOf<M extends keyof Known, Known = typeof shipped> = M extends keyof Known
  ? Known[M] extends DefinedMethod<infer _, infer C>
    ? C
    : unknown
  : never;

/** A method with its step names and its code, which are read on first use. */
type WithSteps<M> = Omit<M, 'code' | 'steps'> & {
  readonly steps: readonly string[];
  code(): MethodCode | undefined;
};

function withStepsAndCode<M extends { module?: string | undefined }>(method: M): WithSteps<M> {
  const { module = '' } = method;
  let steps: readonly string[] | undefined;
  let code: { read: MethodCode | undefined } | undefined;
  return {
    ...method,
    get steps() {
      steps ??= stepsAsked(module) ?? STEP_NAMES;
      return steps;
    },
    code() {
      code ??= { read: methodCode({ module }) };
      return code.read;
    },
  };
}

/**
 * The shipped methods by name, sorted by name, each with the names of its steps and the hashes of
 * its code.
 */
export const methods = Object.fromEntries(
  Object.entries(shipped)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, method]) => [name, withStepsAndCode(method)]),
) as unknown as { [M in MethodName]: WithSteps<(typeof shipped)[M]> };

/** Returns whether a name is that of a shipped method. */
export function isMethod(name: string): name is MethodName {
  return Object.hasOwn(methods, name);
}

const ours: OwnMethods = new Map<string, OwnMethod<unknown>>(Object.entries(methods));

/**
 * List of the names of the workflows that are not methods, such as evaluateRun; a custom method
 * cannot have one of these names.
 */
export const JOBS = Object.keys({
  collectBatches: true,
  evaluateRun: true,
  evaluateRunShard: true,
  evaluateStudy: true,
  genreadClusters: true,
  identifyRun: true,
  judgeAnswer: true,
  proposePrompts: true,
  queueLimits: true,
} satisfies Record<keyof typeof jobs, true>);

/** Matches names that a module can export. */
const EXPORTED = /^[A-Za-z_$][\w$]*$/;

/**
 * Returns a map from names to methods: the shipped ones, and custom ones.
 *
 * @param own Custom methods. One that is given as a name has no algorithm and accepts any options.
 * @throws Failure BadInput if two methods or workflows have the same name, or a workflow cannot
 * have the name.
 */
export function methodRegistry(own: readonly (OwnMethod<unknown> | string)[] = []): OwnMethods {
  if (own.length === 0) return ours;
  const all = new Map(ours);
  for (const given of own) {
    const method = typeof given === 'string' ? methodByName(given) : given;
    if (all.has(method.name) || JOBS.includes(method.name)) {
      throw new Failure('BadInput', `There are two methods named "${method.name}"; rename one.`);
    }
    if (!EXPORTED.test(method.name)) {
      throw new Failure(
        'BadInput',
        `A method cannot be named "${method.name}": use letters and digits, as in lookTwice.`,
      );
    }
    all.set(method.name, method);
  }
  return all;
}

/** Returns a method of which only the name is known here; the workers check its input. */
function methodByName(name: string): OwnMethod<unknown> {
  return { name, title: name, options: z.looseObject({}), source: 'not said', figures: 'none' };
}

/**
 * Returns the input of a run after checking it, with all defaults filled in.
 *
 * @param registry Methods that the input may name. @default the shipped ones
 * @throws Failure BadInput naming every field that is wrong.
 */
export function parseRunInput(input: unknown, registry: OwnMethods = ours): RunSpec {
  return parseRun(input, registry);
}
