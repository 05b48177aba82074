/**
 * The fields of a zod schema as data, from which error messages, flags, help and the reference are
 * derived. Pure.
 */
import { z } from 'zod';

/** The headings of flags in the help, in the order in which the help shows them. */
export const FLAG_GROUPS = [
  'Questions',
  'Method',
  'Model',
  'Search',
  'Scores',
  'Batches of the provider',
  'Limits',
] as const;

declare module 'zod' {
  interface GlobalMeta {
    /** The flag that sets the field: "--rpm <n>". */
    flag?: string;
    /** Heading of the flag in the help; undefined for a flag of one command. */
    flagGroup?: (typeof FLAG_GROUPS)[number];
    /**
     * Way in which the flag's text is read, if the schema does not decide it: a file of questions
     * or a stored data set, a path relative to the current folder, paths of fields by name,
     * name=value repeatedly, percentage points (the field takes a fraction), values separated by
     * commas (a run for each), or a word that selects the object of the field.
     */
    flagTakes?:
      | 'data'
      | 'dataset'
      | 'path'
      | 'paths'
      | 'pairs'
      | 'points'
      | 'sweep'
      | { word: string };
    /** Fields of a command of which one must be given for the flag to have an effect. */
    flagNeeds?: readonly string[];
    /** Fields of a command that exclude it. */
    flagExcludes?: string[];
    /** Set if the flag's text names stored runs or studies. */
    namesKept?: true;
    /** The entry that the flag sets, if the field is an object with entries by name. */
    flagSets?: string;
    /** The field of that entry which the flag sets, if the entry is an object. */
    flagSetsIn?: string;
    /**
     * Help of the flag, if it differs from the field's description, as for a flag that switches
     * off.
     */
    flagSays?: string;
    /** The option of a configuration file with the same meaning: "limits.concurrency". */
    option?: string;
    /** Allowed values in words, to follow "must be", if they do not follow from the schema. */
    takes?: string;
    /** Set for a value that must not be in inputs, histories or texts. */
    isSecret?: true;
    /** Unit of a number. */
    unit?: string;
    /** The default in words, if it is not in the schema. */
    otherwise?: string;
  }
}

/** The JSON schema of a field of an input, with its description, flag and other metadata. */
export type Field = z.core.JSONSchema.BaseSchema & z.GlobalMeta;

/** A field at any depth of an input: its JSON schema, and its path from the top. */
export interface FieldAt {
  path: readonly string[];
  field: Field;
}

/**
 * Returns the JSON schema of what a zod schema accepts as input, with descriptions, flags and other
 * metadata.
 */
export function fieldOf(schema: z.core.$ZodType): Field {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Field;
}

/**
 * Returns all fields of an object's schema at any depth, each object before its fields: the `path`
 * from the top and the JSON schema (`field`) of each. Fields within lists, unions and records are
 * left out.
 */
export function fieldsWithin(field: Field, path: readonly string[] = []): FieldAt[] {
  const inside = Object.entries(field.properties ?? {}) as [string, Field][];
  return inside.flatMap(([name, one]) => {
    const at = [...path, name];
    return [{ path: at, field: one }, ...fieldsWithin(one, at)];
  });
}

/**
 * Returns the JSON schema of the field at a path below a field; the field itself for an empty
 * path, and undefined if there is none.
 */
export function fieldAt(field: Field, path: readonly PropertyKey[]): Field | undefined {
  const [first, ...rest] = path;
  if (first === undefined) return field;
  const { properties, items, prefixItems, additionalProperties, anyOf } = field;
  const isPlace = /^\d+$/.test(String(first));
  const next =
    properties?.[String(first)] ??
    prefixItems?.[Number(first)] ??
    (isPlace ? items : undefined) ??
    additionalProperties;
  if (typeof next === 'object' && !Array.isArray(next)) return fieldAt(next as Field, rest);
  const found = anyOf?.map((one) => fieldAt(one as Field, path));
  return found?.find((one) => one !== undefined);
}

/**
 * Returns the values of a field's enumerations, also of those in a union, as texts; empty if there
 * are none. Single constants are left out.
 */
export function choicesOf({ enum: choices = [], anyOf = [] }: Field): string[] {
  return [...choices.map(String), ...anyOf.flatMap((one) => choicesOf(one as Field))];
}

/**
 * Returns the values that a field accepts in words, to follow "must be": "a number from 0 to 1".
 * Undefined if they are not known.
 *
 * @param none Word for null.
 */
export function describeAllowed(field: Field, none = 'null'): string | undefined {
  const { type, const: only, anyOf, properties, enum: choices, minLength } = field;
  if (field.takes !== undefined) return field.takes;
  if (choices) return `${choices.length > 1 ? 'one of ' : ''}${choices.join(', ')}`;
  if (only !== undefined) return String(only);
  if (anyOf) {
    const fields = anyOf.map((one) => ({ unit: field.unit, ...one }) as Field);
    const each = fields.map((one) => describeAllowed(one, none));
    const areDistinct = new Set(each).size === each.length;
    return (areDistinct ? each : [...new Set(fields.map(takenWithItems))]).join(', or ');
  }
  switch (type) {
    case 'number':
    case 'integer':
      return takenNumber(field);
    case 'string':
      return minLength ? 'text that is not empty' : 'text';
    case 'boolean':
      return 'true or false';
    case 'null':
      return none;
    case 'array':
      return takenList(field);
    case 'object':
      return properties
        ? `an object with ${Object.keys(properties).join(', ')}`
        : 'an object of names and values';
    default:
      return undefined;
  }
}

function takenNumber(field: Field): string {
  const { type, unit, exclusiveMinimum: above, exclusiveMaximum: below } = field;
  const what = `${type === 'integer' ? 'a whole number' : 'a number'}${unit ? ` of ${unit}` : ''}`;
  const least = safe(field.minimum);
  const most = safe(field.maximum);
  if (least !== undefined && most !== undefined) return `${what} from ${least} to ${most}`;
  const from =
    above !== undefined ? ` above ${above}` : least !== undefined && `, at least ${least}`;
  const to =
    below !== undefined
      ? `${from ? ' and' : ''} below ${below}`
      : most !== undefined && `, at most ${most}`;
  return `${what}${from || ''}${to || ''}`;
}

/** Returns the bound; undefined for the bounds of safe integers, which every whole number has. */
function safe(bound: number | undefined): number | undefined {
  return bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? bound : undefined;
}

/**
 * Returns the same as `describeAllowed`, for lists with the type of their items, since two lists
 * may differ only in that.
 */
function takenWithItems(field: Field): string | undefined {
  const { type } = (field.items ?? {}) as Field;
  const items = ITEMS[String(type)];
  return field.type === 'array' && items
    ? `${takenList(field)} of ${items}`
    : describeAllowed(field);
}

const ITEMS: Readonly<Record<string, string>> = {
  string: 'texts',
  number: 'numbers',
  integer: 'whole numbers',
  boolean: 'true and false',
  array: 'lists',
  object: 'objects',
};

function takenList({ minItems: least = 0, maxItems: most }: Field): string {
  if (most === undefined) return least === 0 ? 'a list' : `a list of at least ${least}`;
  if (least === 0) return `a list of at most ${most}`;
  return least === most ? `a list of ${least}` : `a list of ${least} to ${most}`;
}
