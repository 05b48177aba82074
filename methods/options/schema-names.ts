/** What a schema takes at a place: what a refusal suggests and says. Pure. */
import type { z } from 'zod';

/** The parts of a schema's definition that lead to those inside it, or say what it takes. */
interface Definition {
  type: string;
  innerType?: z.core.$ZodType;
  /** What a transformation is given. */
  in?: z.core.$ZodType;
  element?: z.core.$ZodType;
  valueType?: z.core.$ZodType;
  shape?: Record<string, z.core.$ZodType>;
  options?: readonly z.core.$ZodType[];
  entries?: Record<string, unknown>;
  values?: readonly unknown[];
  format?: string;
  checks?: readonly { _zod: { def: Check } }[];
}

/** A condition of a number, a text or a list. */
interface Check {
  check: string;
  /** Of a number. */
  value?: number;
  inclusive?: boolean;
  /** Of a length. */
  minimum?: number;
  maximum?: number;
}

/** The field names of the object at a path; none where there is no object of fixed names. */
export function namesAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const found = schemaAt(schema, path);
  return Object.keys((found && definitionOf(found).shape) ?? {});
}

/** The names that may stand at a path, where only some may. */
export function choicesAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const found = schemaAt(schema, path);
  return Object.values((found && definitionOf(found).entries) ?? {}).map(String);
}

/**
 * What may stand at a path, in words that follow "must be"; undefined where that is not told by the
 * schema.
 *
 * @example takenAt(z.object({ k: z.int().min(1).max(9) }), ['k']) // 'a whole number from 1 to 9'
 */
export function takenAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string | undefined {
  const found = schemaAt(schema, path);
  return found && taken(found);
}

function schemaAt(
  schema: z.core.$ZodType,
  path: readonly PropertyKey[],
): z.core.$ZodType | undefined {
  const { innerType, in: given, element, valueType, shape } = definitionOf(schema);
  const within = innerType ?? given;
  if (within && !takesNull(schema)) return schemaAt(within, path);
  const [first, ...rest] = path;
  if (first === undefined) return schema;
  if (within) return schemaAt(within, path);
  const next = shape ? shape[String(first)] : (element ?? valueType);
  return next && schemaAt(next, rest);
}

function taken(schema: z.core.$ZodType): string | undefined {
  const definition = definitionOf(schema);
  const { type, innerType, in: given, shape, options = [], values = [] } = definition;
  switch (type) {
    case 'number':
      return takenNumber(definition);
    case 'string':
      return checkOf(definition, 'min_length') ? 'text that is not empty' : 'text';
    case 'boolean':
      return 'true or false';
    case 'null':
      return 'null';
    case 'enum':
      return oneOf(choicesAt(schema, []));
    case 'literal':
      return oneOf(values.map(String));
    case 'array':
      return takenList(definition);
    case 'object':
      return `an object with ${Object.keys(shape ?? {}).join(', ')}`;
    case 'record':
      return 'an object of names and values';
    case 'union':
      return options.map(taken).join(', or ');
    case 'nullable':
      return innerType && `${taken(innerType)}, or null`;
    default: {
      const within = innerType ?? given;
      return within && taken(within);
    }
  }
}

function takenNumber(definition: Definition): string {
  const what = definition.format === 'safeint' ? 'a whole number' : 'a number';
  const least = checkOf(definition, 'greater_than');
  const most = checkOf(definition, 'less_than');
  if (least?.inclusive && most?.inclusive) return `${what} from ${least.value} to ${most.value}`;
  const above = least && (least.inclusive ? `, at least ${least.value}` : ` above ${least.value}`);
  const below = most && (most.inclusive ? `, at most ${most.value}` : ` below ${most.value}`);
  return `${what}${above ?? ''}${below ?? ''}`;
}

function takenList(definition: Definition): string {
  const { minimum: least = 0 } = checkOf(definition, 'min_length') ?? {};
  const { maximum: most } = checkOf(definition, 'max_length') ?? {};
  if (most === undefined) return least === 0 ? 'a list' : `a list of at least ${least}`;
  return least === 0 ? `a list of at most ${most}` : `a list of ${least} to ${most}`;
}

function checkOf({ checks = [] }: Definition, kind: string): Check | undefined {
  return checks.map(({ _zod }) => _zod.def).find(({ check }) => check === kind);
}

function oneOf(names: readonly string[]): string {
  return names.length === 1 ? `${names[0]}` : `one of ${names.join(', ')}`;
}

function takesNull(schema: z.core.$ZodType): boolean {
  return definitionOf(schema).type === 'nullable';
}

function definitionOf(schema: z.core.$ZodType): Definition {
  return schema._zod.def as Definition;
}
