/** Derives the flags of an input from its schema, and names flags in the errors of that input. */
import { resolve } from 'node:path';
import { type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { z } from 'zod';
import { Failure } from '../core/failure.js';
import { isObject } from '../core/is-object.js';
import { refuseSecrets } from '../core/options/extra-body.js';
import { BadInput, describeProblems, fieldName } from '../core/options/problems.js';
import {
  choicesOf,
  type Field,
  type FieldAt,
  FLAG_GROUPS,
  fieldAt,
  fieldOf,
  fieldsWithin,
} from '../core/options/schema-fields.js';
import { secretsIn } from '../core/settings.js';
import { parseFields } from '../evaluation/dataset/map-fields.js';
import { readTextFile } from '../stores/text-file.js';
import { datasetFlag, pathOf } from './dataset-flag.js';

type Fields = Record<string, unknown>;
type Path = readonly PropertyKey[];

/**
 * The part of a workflow's input that a user typed, in flags and in the `--input` file, with a
 * function that names its fields in messages.
 */
export interface TypedInput {
  /** Fields of the input; those from flags take precedence over those of the `--input` file. */
  fields: Fields;
  /** Returns the name of a field for messages: its flag, or its path in the file. */
  nameOf(path: Path): string;
}

/** The empty typed input, for commands that have no flags for an input. */
export const nothingTyped: TypedInput = { fields: {}, nameOf: fieldName };

/** A field of a schema that has a flag, with the flag. */
interface Flagged extends FieldAt {
  option: Option;
}

/**
 * Returns an array of the flags that the user typed, each with the `path` and description
 * (`field`) of its field, its Commander option (`option`), and its `value`, converted to the
 * field's type. Values that cannot be converted stay text, so that the schema refuses them.
 */
export function typedFlags(command: CommandUnknownOpts, flagged: readonly Flagged[]) {
  return flagged.flatMap(({ path, field, option }) => {
    const name = option.attributeName();
    if (command.getOptionValueSource(name) !== 'cli') return [];
    return [{ path, field, option, value: readTyped(command.getOptionValue(name), field) }];
  });
}

/**
 * Adds the flags of a schema's fields to a command, and returns the command.
 *
 * @param more Description of further fields in the `--input` file; without it the command has
 * neither `--input` nor `--option`.
 */
export function addFlags<C extends CommandUnknownOpts>(
  command: C,
  schema: z.ZodType,
  more?: string,
): C {
  for (const { option } of flaggedFields(schema)) command.addOption(option);
  if (more === undefined) return command;
  const option = new Option('--option <key=value>', 'any other option of the method');
  const input = new Option('--input <file>', `JSON file with more of the input: ${more}`);
  for (const one of [option.argParser(collectOption), input]) {
    command.addOption(one.helpGroup('Method:'));
  }
  return command;
}

/**
 * Returns the Commander option `--json`, which every command has except those that only group
 * subcommands. docs/command-line.md describes the output of each command.
 *
 * @param what Description of the output for the help.
 */
export function jsonFlag(what = 'the same as JSON, errors too'): Option {
  return new Option('--json', what);
}

/**
 * Sorts the options of a command in place by their groups in the help; those without a group come
 * first.
 */
export function sortOptionsByGroup({ options }: CommandUnknownOpts): void {
  const placeOf = ({ helpGroupHeading: heading }: Option) =>
    FLAG_GROUPS.findIndex((group) => heading === `${group}:`);
  (options as Option[]).sort((a, b) => placeOf(a) - placeOf(b));
}

/** Values of `--option` and `--input`. */
interface Further {
  option?: Fields;
  input?: string;
}

/**
 * Reads the `--input` file, and returns the input that a user typed: the fields of the file, with
 * those of the flags that `addFlags` added over them.
 *
 * @param below An existing input that the file and the flags change.
 * @throws Failure BadInput naming the file that cannot be read, or a flag that has no effect.
 */
export async function typedInput(
  command: CommandUnknownOpts,
  schema: z.ZodType,
  below: Fields = {},
): Promise<TypedInput> {
  const flagged = flaggedFields(schema);
  const typed = typedFlags(command, flagged);
  const { option: options = {}, input: file }: Further = command.opts();
  const inFile = file === undefined ? {} : await readInputFile(file);
  const fromFile = merged(below, inFile);
  const fromFlags = typed.reduce<Fields>(
    (fields, { value, ...flag }) => placed(fields, targetOf(flag, fromFile), value),
    Object.keys(options).length === 0 ? {} : { options },
  );
  for (const { path, option } of typed) {
    const outer = flagged.find((one) => isOuter(one, path));
    const isTyped = typed.some((one) => one.option === outer?.option);
    if (!outer || isTyped || at(fromFile, outer.path) !== undefined) continue;
    const flag = `${outer.option.long} ${choicesFor(outer.field).join('|')}`;
    throw new Failure('BadInput', `${option.long}: has no effect without ${flag}`);
  }
  const nameOf = (path: Path): string => {
    const name = fieldName(path);
    const flag = typed.filter((one) => isWithin(path, one.path)).at(-1);
    if (flag) return namedIn(flag, path);
    const [first, ...inside] = path;
    const isOption = first === 'options' && inside.length > 0;
    const asOption = isOption ? `--option ${fieldName(inside)}` : '--option';
    if (isOption && String(inside[0]) in options) return asOption;
    if (at(inFile, path.slice(0, isOption ? 2 : 1)) !== undefined) return `${file}: ${name}`;
    if (first === 'options') return asOption;
    return flagged.filter((one) => isWithin(path, one.path)).at(-1)?.option.long ?? name;
  };
  return { fields: merged(fromFile, fromFlags), nameOf };
}

/**
 * Returns the typed input unchanged, after checking that it contains no secret of the environment.
 *
 * @throws Failure BadInput naming the flag or file, if it contains a secret of the environment.
 */
export function checkedForSecrets(typed: TypedInput, env: NodeJS.ProcessEnv): TypedInput {
  namingFlags(typed, () => refuseSecrets(typed.fields, secretsIn(env)));
  return typed;
}

/** Returns the flag that was typed, followed by the name if its values are `name=value` pairs. */
function namedIn({ option, field, path: outer }: Flagged, path: Path): string {
  const inside = path.slice(outer.length);
  const isNamed = field.flagTakes === 'pairs' && inside.length > 0;
  return isNamed ? `${option.long} ${fieldName(inside)}` : `${option.long}`;
}

/**
 * Returns the result of `check`. If that throws a BadInput, throws a Failure BadInput in its
 * place, whose message names typed flags and fields of the `--input` file.
 */
export function namingFlags<T>({ nameOf }: Pick<TypedInput, 'nameOf'>, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw errorNamingFlags(error, nameOf);
  }
}

/**
 * Returns an error unchanged, except a BadInput: it becomes a Failure BadInput whose message names
 * the typed flags, and fields of the `--input` file by their paths.
 */
export function errorNamingFlags(error: unknown, nameOf: TypedInput['nameOf']): unknown {
  if (!(error instanceof BadInput)) return error;
  return new Failure('BadInput', describeProblems(error.problems, { nameOf, none: 'none' }));
}

/** Returns whether a field contains another one and also has a flag. */
function isOuter({ path, field }: Flagged, inner: Path): boolean {
  return typeof field.flagTakes === 'object' && path.length < inner.length && isWithin(inner, path);
}

/** Returns the path in the input at which the value of a flag is stored. */
function targetOf({ path, field }: FieldAt, fromFile: Fields): string[] {
  const { flagSets, flagSetsIn } = field;
  if (flagSets === undefined) return [...path];
  const named = [...path, flagSets];
  return flagSetsIn && isObject(at(fromFile, named)) ? [...named, flagSetsIn] : named;
}

function isWithin(path: Path, outer: Path): boolean {
  return outer.every((name, i) => path[i] === name);
}

/** Cache of the fields by schema, since several commands share most of them. */
const made = new WeakMap<z.ZodType, Field>();

/**
 * Returns the description of a schema as a JSON Schema with the metadata of flags, computed once
 * for each schema.
 */
export function cachedField(schema: z.ZodType): Field {
  const field = made.get(schema) ?? fieldOf(schema);
  made.set(schema, field);
  return field;
}

/**
 * Returns an array of the fields of a schema that have flags, each as an object with its path
 * (`path`), its description as JSON Schema (`field`) and its Commander option (`option`).
 */
export function flaggedFields(schema: z.ZodType): Flagged[] {
  const whole = cachedField(schema);
  return fieldsWithin(whole).flatMap(({ path, field }) => {
    if (field.flag === undefined) return [];
    const option = new Option(field.flag, describe(field, path, whole));
    const choices = choicesFor(field);
    if (choices.length > 0) option.choices(choices);
    if (field.flagTakes === 'pairs') option.argParser(collectPair);
    if (field.flagExcludes) option.conflicts(field.flagExcludes);
    if (field.flagGroup) option.helpGroup(`${field.flagGroup}:`);
    return [{ path, field, option }];
  });
}

/** Returns the words that a flag accepts; for an object of names, those for one of its values. */
function choicesFor(field: Field): string[] {
  const { flagTakes, flagSets } = field;
  if (typeof flagTakes === 'object') return [flagTakes.word];
  return choicesOf((flagSets && fieldAt(field, [flagSets])) || field);
}

function describe(field: Field, path: Path, whole: Field): string {
  const { default: value, otherwise, flag = '', flagSays, flagSets, flagNeeds = [], unit } = field;
  const description = flagSays ?? field.description ?? '';
  const usual = !flag.includes('<') || flagSets ? otherwise : (otherwise ?? value);
  const isRequired = whole.required?.includes(path.join('.'));
  const unsaid = usual === undefined ? isRequired && 'required' : `default: ${usual}`;
  const needed = flagNeeds.map((name) => fieldAt(whole, [name])?.flag?.split(' ')[0]).join(' or ');
  const counted = unit === 'seconds' ? 'seconds, or such as 60s, 5m, 24h' : unit;
  const lifted = kindsOf(field).includes('null') && 'or none';
  const notes = [needed && `with ${needed}`, counted, lifted, unsaid].filter(Boolean).join('; ');
  return notes === '' ? description : `${description} (${notes})`;
}

/**
 * Returns a typed word converted to the type of its field; unchanged if it cannot be converted, so
 * that the schema refuses it. Lists are converted item by item.
 */
export function readTyped(typed: unknown, field: Field): unknown {
  if (Array.isArray(typed)) return typed.map((one) => readTyped(one, field.items as Field));
  return typeof typed === 'string' ? read(typed, field) : typed;
}

function read(text: string, field: Field): unknown {
  const { flagTakes, unit } = field;
  if (flagTakes === 'path') return resolve(text);
  if (typeof flagTakes === 'object') return text === flagTakes.word ? {} : text;
  if (flagTakes === 'data') return pathOf(text);
  if (flagTakes === 'dataset') return datasetFlag(text);
  if (flagTakes === 'paths') return parseFields(text);
  if (flagTakes === 'points') return shareOf(text);
  if (flagTakes === 'sweep') return text.split(',').map((one) => numberOr(one));
  if (field.type === 'array') {
    return text === 'none' ? [] : text.split(',').map((name) => name.trim());
  }
  const kinds = kindsOf(field);
  if (!kinds.includes('number') && !kinds.includes('integer')) return text;
  if (text === 'none' && kinds.includes('null')) return null;
  return unit === 'seconds' ? (duration(text) ?? text) : numberOr(text);
}

/** Returns a number of points from 0 to 100 as a fraction, and any other text unchanged. */
function shareOf(text: string): number | string {
  const points = numberOr(text);
  return typeof points === 'number' && points >= 0 && points < 100 ? points / 100 : text;
}

/** Returns the types that a field accepts. */
function kindsOf({ type, anyOf = [] }: Field): unknown[] {
  return [type, ...anyOf.map((one) => (one as Field).type)];
}

function numberOr(text: string): number | string {
  const value = Number(text);
  return text.trim() === '' || Number.isNaN(value) ? text : value;
}

function at(fields: unknown, [first, ...rest]: Path): unknown {
  if (first === undefined) return fields;
  return isObject(fields) ? at(fields[String(first)], rest) : undefined;
}

/** Returns fields with a value set at a path. */
function placed(fields: Fields, [first = '', ...rest]: readonly string[], value: unknown): Fields {
  const before = isObject(fields[first]) ? fields[first] : {};
  return { ...fields, [first]: rest.length === 0 ? value : placed(before, rest, value) };
}

/** Returns two inputs merged, field by field; the second takes precedence. */
function merged(below: Fields, above: Fields): Fields {
  const both = Object.entries(above).map(([name, value]) => {
    const earlier = below[name];
    return [name, isObject(value) && isObject(earlier) ? merged(earlier, value) : value];
  });
  return { ...below, ...Object.fromEntries(both) };
}

/** Returns the content of the `--input` file. @throws Failure BadInput naming the file. */
async function readInputFile(file: string): Promise<Fields> {
  const refuse = (what: string) =>
    new Failure(
      'BadInput',
      `--input ${file} ${what}; it must contain a JSON object such as {"options":{"passages":5}}.`,
    );
  const text = await readTextFile(file).catch((error: NodeJS.ErrnoException) => {
    throw refuse(error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code})`);
  });
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (error) {
    throw refuse(`is not JSON (${(error as Error).message})`);
  }
  throw refuse('is not an object');
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, min: 60, h: 3600, d: 86_400 };

/**
 * Returns a duration such as "60s", "5m" or "24h" in seconds; a number without a unit means
 * seconds. Undefined for any other text.
 */
export function duration(text: string): number | undefined {
  const [, number = '', unit = 's'] = /^([\d.]+)\s*(s|m|min|h|d)?$/.exec(text.trim()) ?? [];
  const seconds = Number(number) * (SECONDS[unit] ?? Number.NaN);
  return number === '' || Number.isNaN(seconds) ? undefined : seconds;
}

/** Collects pairs such as "threshold=0.8" into an object. A value that is not JSON is taken as text. */
function collectPair(text: string, before: Record<string, unknown> = {}): Record<string, unknown> {
  const [, key, value] = /^([\w-]+)=(.*)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined) {
    throw new InvalidArgumentError('It must have the form name=value.');
  }
  return { ...before, [key]: jsonOrText(value) };
}

/**
 * Adds the pair in "name=value" to an object. A name with dots, such as "base.passages=5", sets a
 * field of a field.
 */
function collectOption(text: string, before: Fields = {}): Fields {
  const [, name, value] = /^([\w-]+(?:\.[\w-]+)*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError('It must have the form name=value.');
  }
  return placed(before, name.split('.'), jsonOrText(value));
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
