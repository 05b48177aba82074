/** Types for the names and options of methods, built-in or custom. */

import type { RunInput } from '../core/run/input.js';
import type { StudyInput } from '../core/study/study.js';
import type { MethodsWith, OptionsOf } from '../interpreters/methods.js';
import type { OwnMethod } from '../workflows/define-method.js';

/** A list of custom methods for a client, each as its definition or only by its name. */
export type CustomMethods = readonly (OwnMethod<unknown> | string)[];

/**
 * Options of a method, all optional; for a union of methods, the options that all of them accept.
 *
 * @typeParam M Name of the method, or a union of names.
 * @typeParam Known Methods that the compiler knows, by name.
 */
export type OptionsFor<M extends keyof Known, Known> = Partial<
  Shared<OptionsOf<M, Known>, ForEach<M, Known>>
>;

/** A value that fits the options of each method. */
type ForEach<M extends keyof Known, Known> = (
  M extends keyof Known
    ? (options: Partial<OptionsOf<M, Known>>) => void
    : never
) extends (options: infer All) => void
  ? All
  : never;

/** The type without options that only some of the methods have. */
type Shared<Each, All> = keyof All extends keyof Each ? All : Pick<All, keyof All & keyof Each>;

/** Names of methods that a program can write: built-in ones, and those passed to the client. */
type Written<Own extends CustomMethods> =
  | (keyof MethodsWith<Own> & string)
  | Extract<Own[number], string>;

/** A literal name must be that of a method; a name of type `string` is checked at run time. */
type NameFor<N extends string, Own extends CustomMethods> = string extends N
  ? N
  : N extends Written<Own>
    ? N
    : Written<Own>;

/** Options of a method by its name; any options if the compiler does not know the method. */
type OptionsBy<N extends string, Own extends CustomMethods> = [N] extends [keyof MethodsWith<Own>]
  ? OptionsFor<N, MethodsWith<Own>>
  : Record<string, unknown>;

/**
 * The input of a run whose method name and options the compiler checks.
 *
 * @typeParam N Name of the method, or a union of names; `string` if name and options are checked at
 * run time.
 * @typeParam Own Custom methods of the client.
 * @typeParam Input Input whose method and options are replaced: `RunInput`, or a part of it such as
 * `ScheduledInput`.
 */
export type RunOf<N extends string, Own extends CustomMethods, Input = RunInput> = Omit<
  Input,
  'method' | 'options'
> & { method: NameFor<N, Own>; options?: OptionsBy<N, Own> | undefined };

/** A study's method as read from a file. */
type StudyMethod = StudyInput['methods'][number];

/** Properties of a method of a study besides its options: its label, data sets and models. */
interface BesideOptions {
  as?: string;
  datasets?: string[];
  models?: string[];
}

/** A method of a study with options. */
type WithOptions<Own extends CustomMethods> = {
  [N in Written<Own>]: Record<N, OptionsBy<N, Own>> & BesideOptions;
}[Written<Own>];

/** A method of a study; the compiler checks literal names and their options. */
type StudyMethodFor<S extends StudyMethod, Own extends CustomMethods> = S extends string
  ? NameFor<S, Own>
  : string extends keyof S
    ? S
    : WithOptions<Own>;

/**
 * The input of a study; the compiler checks the names and options of its methods.
 *
 * @typeParam S A method of the study, as the program writes it.
 * @typeParam Own Custom methods of the client.
 */
export type StudyOf<S extends StudyMethod, Own extends CustomMethods> = Omit<
  StudyInput,
  'methods'
> & {
  methods: StudyMethodFor<S, Own>[];
};
