/** Declares commands. Their arguments, help, completion and errors are derived from one declaration. */
import { Argument, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { z } from 'zod';
import { Failure } from '../core/failure.js';
import { checkAgainst } from '../core/options/checked.js';
import { BadInput, describeProblems, fieldName, type Wording } from '../core/options/problems.js';
import { choicesOf, type Field } from '../core/options/schema-fields.js';
import type { SettingName } from '../core/settings.js';
import type { CliContext } from './context.js';
import {
  addFlags,
  cachedField,
  flaggedFields,
  jsonFlag,
  readTyped,
  sortOptionsByGroup,
  type TypedInput,
  typedFlags,
} from './flags.js';
import type { CommandOutput } from './print-output.js';
import { addSettings } from './setting-flags.js';
import type { LogFormat } from './terminal-reporter.js';

/** The declaration of a command, from which its help, flags, completion and errors are derived. */
interface Declaration<S extends z.ZodObject = z.ZodObject> {
  /** Full name of the command, such as "runs delete". */
  name: string;
  /** Description in the help. */
  does: string;
  /**
   * Schema of its arguments and flags: a field with a flag becomes that flag, others become arguments in
   * their order.
   */
  takes?: S;
  /** Schema of a workflow's input that the command has flags for. */
  input?: z.ZodType;
  /**
   * Description of the file for `--input`; undefined if the command has no `--input`.
   */
  inputFile?: string;
  /** Settings that it has flags for. */
  settings?: readonly SettingName[];
  /** Whether it reports unknown variables DURABLE_RAG_... itself; other commands refuse them. */
  tellsUnknown?: boolean;
  /** Description of the `--json` output, if it is not the same content as JSON. */
  json?: string;
  /** Default log format of a command that keeps running, if its output is not a terminal. */
  log?: LogFormat;
  examples?: readonly string[];
  /** Text below the help. */
  after?: string;
  /** Text below the error for a flag or an argument. */
  hint?: string;
  /**
   * Runs the command. Returns its output, or an exit code if it has printed everything itself.
   * Undefined if the command only groups its subcommands.
   */
  run?(
    given: z.output<S>,
    context: CliContext,
    typed: TypedWords,
  ): CommandOutput | Promise<CommandOutput | number>;
}

/** The words that a user typed, for commands with flags for a workflow's input. */
interface TypedWords {
  /**
   * Returns the input that was typed in flags and in the `--input` file.
   *
   * @param below An existing input that the flags change.
   */
  input(below?: TypedInput['fields']): Promise<TypedInput>;
  command: CommandUnknownOpts;
  program: CommandUnknownOpts;
}

/**
 * Returns the declaration of a command, with an empty schema of arguments if it has none.
 * TypeScript derives the types of the arguments of `run` from the schema.
 */
export function defineCommand<S extends z.ZodObject>(declared: Declaration<S>): DeclaredCommand {
  return { takes: z.object({}), ...declared };
}

/**
 * The declaration of a command: its name, its texts for the help, the schema of its arguments and
 * flags, and the function that runs it.
 */
export type DeclaredCommand = Declaration & { takes: z.ZodObject };
/** A declared command that does something itself, unlike one that only groups subcommands. */
export type RunnableCommand = DeclaredCommand & Required<Pick<Declaration, 'run'>>;

/** Returns whether a command does something itself, and does not only group subcommands. */
export function isRunnable(declared: DeclaredCommand): declared is RunnableCommand {
  return declared.run !== undefined;
}

/**
 * Adds a declared command to a program, below its parent command, with its arguments, flags and
 * examples, and returns the new command. Its parent must have been added before.
 *
 * @param group Heading under which the help lists it.
 */
export function addCommand(
  program: CommandUnknownOpts,
  declared: DeclaredCommand,
  group: string,
): CommandUnknownOpts {
  const { name, does, takes, settings = [], input, inputFile } = declared;
  const words = name.split(' ');
  const above = words.slice(0, -1).reduce((at, word) => belowOf(at, word), program);
  const command = above.command(words.at(-1) ?? '');
  command.description(does);
  if (above === program) command.helpGroup(`${group}:`);
  // A flag that follows a subcommand's name belongs to the subcommand.
  else above.enablePositionalOptions().allowExcessArguments();
  for (const argument of argumentsOf(takes)) command.addArgument(toArgument(argument));
  addFlags(command, takes);
  if (isRunnable(declared)) command.addOption(jsonFlag(declared.json));
  addSettings(command, ...settings);
  if (input) addFlags(command, input, inputFile);
  sortOptionsByGroup(command);
  addExamples(command, declared.examples);
  if (declared.after) command.addHelpText('after', declared.after);
  if (declared.hint) command.showHelpAfterError(declared.hint);
  return command;
}

/** Adds examples below the help of a command; nothing if there are none. */
export function addExamples(command: CommandUnknownOpts, lines: readonly string[] = []): void {
  if (lines.length === 0) return;
  command.addHelpText('after', ['', 'Examples:', ...lines.map((line) => `  ${line}`)].join('\n'));
}

/** Returns the subcommand of a name. */
function belowOf(command: CommandUnknownOpts, name: string): CommandUnknownOpts {
  const found = command.commands.find((one) => one.name() === name);
  if (!found) throw new Error(`The command ${name} must be declared before its subcommands.`);
  return found;
}

/**
 * Returns the values of a command's arguments and flags that were typed, checked and converted to
 * their types, by field.
 *
 * @throws Failure BadInput naming the first flag that has no effect; otherwise every argument and
 * flag that is wrong or missing.
 */
export function readArguments<S extends z.ZodObject>(
  takes: S,
  command: CommandUnknownOpts,
): z.output<S> {
  const declared = flaggedFields(takes);
  const typed = typedFlags(command, declared);
  const given = Object.fromEntries(typed.map(({ path: [name], value }) => [name, value]));
  argumentsOf(takes).forEach(({ name, field }, at) => {
    const value: unknown = command.processedArgs[at];
    if (value !== undefined) given[name] = readTyped(value, field);
  });
  const flagOf = new Map(declared.map(({ path, option }) => [path[0], option.long]));
  for (const { field, option } of typed) {
    const needed = field.flagNeeds ?? [];
    if (needed.length === 0 || needed.some((name) => name in given)) continue;
    const others = needed.map((name) => flagOf.get(name)).join(' or ');
    throw new Failure('BadInput', `${option.long}: has no effect without ${others}`);
  }
  const checked = checkAgainst(takes, given);
  if (!checked.problems) return checked.data as z.output<S>;
  throw new Failure('BadInput', describeProblems(checked.problems, asTypedFor(takes)));
}

/**
 * Returns an error unchanged, except a BadInput about fields of a command: its message is reworded
 * to name the command's flags and arguments.
 * @example errorNamingArguments(takes, badInput('margin', 'is too large')) // "--margin: is too large"
 */
export function errorNamingArguments(takes: z.ZodObject, error: unknown): unknown {
  if (!(error instanceof BadInput)) return error;
  const isTyped = error.problems.some(({ path: [name] }) => String(name) in takes.shape);
  if (!isTyped) return error;
  return new Failure('BadInput', describeProblems(error.problems, asTypedFor(takes)));
}

/** Returns a wording of errors that names a command's fields by their flags and arguments. */
function asTypedFor(takes: z.ZodObject): Wording {
  const flagOf = new Map(flaggedFields(takes).map(({ path, option }) => [path[0], option.long]));
  return {
    nameOf: (path) => flagOf.get(String(path[0])) ?? fieldName(path),
    none: 'none',
  };
}

/**
 * Returns the values that were typed for those arguments of a command that take names of runs or
 * studies. Runs and studies of these names need not exist.
 */
export function typedRunNames(
  takes: z.ZodObject,
  given: Readonly<Record<string, unknown>>,
): string[] {
  const fields = Object.entries((cachedField(takes).properties ?? {}) as Record<string, Field>);
  return fields.flatMap(([name, { namesKept }]) =>
    namesKept ? [given[name]].flat().filter((one) => typeof one === 'string') : [],
  );
}

/** Returns the fields of a schema that are arguments, in their order. */
function argumentsOf(takes: z.ZodObject) {
  const { properties = {}, required = [] } = cachedField(takes);
  return Object.entries(properties as Record<string, Field>).flatMap(([name, field]) =>
    field.flag === undefined ? [{ name, field, isRequired: required.includes(name) }] : [],
  );
}

function toArgument({ name, field, isRequired }: ReturnType<typeof argumentsOf>[number]): Argument {
  const words = field.type === 'array' ? `${name}...` : name;
  const argument = new Argument(isRequired ? `<${words}>` : `[${words}]`, field.description);
  const choices = choicesOf(field);
  return choices.length > 0 ? argument.choices(choices) : argument;
}
