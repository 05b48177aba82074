/** The fields of a schema as data: what refusals, flags, help and the reference are derived from. Pure. */
import { z } from 'zod';

/** The headings of flags, in the order of the help. */
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
    /** Under which heading help shows the flag; those of a command alone have none. */
    flagGroup?: (typeof FLAG_GROUPS)[number];
    /**
     * What is typed for the field, where its schema does not tell: a file of questions or what stands
     * for one in the store, a path seen from the folder, paths of fields by name, name=value again and
     * again, points of which 100 are the 1 of the field, values with commas between (a run for each),
     * or a word that asks for the object of the field.
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
    /** The fields of a command of which one is to be typed for the flag to have an effect. */
    flagNeeds?: readonly string[];
    /** The fields of a command that cannot be typed with it. */
    flagExcludes?: string[];
    /** What is typed names kept runs or studies. */
    namesKept?: true;
    /** Which of its names the flag sets, where the field is an object of names. */
    flagSets?: string;
    /** Under which name of that, where a file has an object there. */
    flagSetsIn?: string;
    /** What the flag does, where that is not what the field says: a flag that switches off. */
    flagSays?: string;
    /** The option of a configuration file that says the same: "limits.concurrency". */
    option?: string;
    /** What may stand there, where its schema does not tell: follows "must be". */
    takes?: string;
    /** A value that must not stand in inputs, histories or texts. */
    isSecret?: true;
    /** In what a number is counted. */
    unit?: string;
    /** The default, where something else decides it. */
    otherwise?: string;
  }
}

export type Field = z.core.JSONSchema.BaseSchema & z.GlobalMeta;

export interface FieldAt {
  path: readonly string[];
  field: Field;
}

/** Returns a schema as data, as a caller fills it in. */
export function fieldOf(schema: z.core.$ZodType): Field {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Field;
}

/** Returns the fields of a schema, each object before its own; without those in lists. */
export function fieldsWithin(field: Field, path: readonly string[] = []): FieldAt[] {
  const inside = Object.entries(field.properties ?? {}) as [string, Field][];
  return inside.flatMap(([name, one]) => {
    const at = [...path, name];
    return [{ path: at, field: one }, ...fieldsWithin(one, at)];
  });
}

/** Returns the field at a path; undefined where nothing of a known form is there. */
export function fieldAt(field: Field, path: readonly PropertyKey[]): Field | undefined {
  const [first, ...rest] = path;
  if (first === undefined) return field;
  const { properties, items, prefixItems, additionalProperties, anyOf } = field;
  const next =
    properties?.[String(first)] ?? prefixItems?.[Number(first)] ?? items ?? additionalProperties;
  if (typeof next === 'object' && !Array.isArray(next)) return fieldAt(next as Field, rest);
  const found = anyOf?.map((one) => fieldAt(one as Field, path));
  return found?.find((one) => one !== undefined);
}

/** Returns the values of which a field takes one; none where it takes others as well. */
export function choicesOf({ enum: choices = [], anyOf = [] }: Field): string[] {
  return [...choices.map(String), ...anyOf.flatMap((one) => choicesOf(one as Field))];
}

/**
 * Returns what a field takes, in words behind "must be"; undefined where it is not known.
 *
 * @param none What is written for no value.
 */
export function taken(field: Field, none = 'null'): string | undefined {
  const { type, const: only, anyOf, properties, enum: choices, minLength } = field;
  if (field.takes !== undefined) return field.takes;
  if (choices) return `${choices.length > 1 ? 'one of ' : ''}${choices.join(', ')}`;
  if (only !== undefined) return String(only);
  if (anyOf) {
    const fields = anyOf.map((one) => ({ unit: field.unit, ...one }) as Field);
    const each = fields.map((one) => taken(one, none));
    const isTold = new Set(each).size === each.length;
    return (isTold ? each : [...new Set(fields.map(takenWithItems))]).join(', or ');
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
  const to = below !== undefined ? ` below ${below}` : most !== undefined && `, at most ${most}`;
  return `${what}${from || ''}${to || ''}`;
}

/** Returns the bound; undefined for the bounds of safe integers, which every whole number has. */
function safe(bound: number | undefined): number | undefined {
  return bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? bound : undefined;
}

/** As `taken`, of lists with what is in them: by that alone two of them may differ. */
function takenWithItems(field: Field): string | undefined {
  const { type } = (field.items ?? {}) as Field;
  const items = ITEMS[String(type)];
  return field.type === 'array' && items ? `${takenList(field)} of ${items}` : taken(field);
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
