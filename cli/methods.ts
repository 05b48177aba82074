/** `durable-rag methods`: what there is, with options, costs and the papers' figures. */
import { z } from 'zod';
import type { OwnMethod } from '../workflows/define-method.js';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The methods as Markdown, which reads well in a terminal too. Pure. */
export function describeMethods(methods: readonly OwnMethod<unknown>[]): string {
  return methods.map(describeMethod).join('\n\n');
}

/** The methods as JSON: `options` is a JSON Schema. Pure. */
export function methodsJson(methods: readonly OwnMethod<unknown>[]): object[] {
  return methods.map(({ name, title, source, callsFormula, steps, figures, options }) => ({
    ...{ name, title, source, calls: callsFormula, steps, reported: figures },
    options: z.toJSONSchema(options, { io: 'input' }),
  }));
}

function describeMethod(method: OwnMethod<unknown>): string {
  return [
    `## \`${method.name}\``,
    '',
    `${method.title}. ${method.source}.`,
    '',
    `- Model calls: ${method.callsFormula}`,
    `- Steps that ask a model: ${method.steps?.join(', ')}`,
    `- Reported: ${method.figures}`,
    '',
    '| option | meaning | values | default |',
    '| --- | --- | --- | --- |',
    ...describeOptions(method.options),
  ].join('\n');
}

function describeOptions(options: z.ZodType): string[] {
  const { properties = {} } = z.toJSONSchema(options, { io: 'input' });
  return Object.entries(properties).map(([name, schema]) => {
    const option = schema as JsonSchema;
    const cells = [option.description ?? '', valuesOf(option), defaultOf(option)];
    return `| \`${name}\` | ${cells.map(escapeCell).join(' | ')} |`;
  });
}

function valuesOf(schema: JsonSchema): string {
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ');
  if (schema.anyOf) return schema.anyOf.map((one) => valuesOf(one as JsonSchema)).join(', or ');
  if (schema.type === 'integer' || schema.type === 'number') {
    const kind = schema.type === 'integer' ? 'whole number' : 'number';
    const { minimum, maximum } = schema;
    if (minimum !== undefined && maximum !== undefined) return `${kind}, ${minimum} to ${maximum}`;
    return minimum === undefined ? kind : `${kind}, at least ${minimum}`;
  }
  if (schema.type === 'array') return 'list';
  if (schema.type === 'string') return 'text';
  return schema.type === 'boolean' ? '`true`, `false`' : String(schema.type ?? '');
}

function defaultOf({ default: value }: JsonSchema): string {
  if (value === undefined) return '';
  return Array.isArray(value) && value.length === 0 ? 'none' : `\`${JSON.stringify(value)}\``;
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
