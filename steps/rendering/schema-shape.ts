/** A JSON schema in one line, as a prompt shows it. Pure. */
import type { JsonSchema } from '../outputs/output.js';

/**
 * Returns the shape of what fits a schema.
 *
 * @example shapeOf(objectSchema({ answer: { type: 'string', enum: ['True', 'False'] } }))
 * // '{"answer": "True" | "False"}'
 */
export function shapeOf(schema: JsonSchema): string {
  const { type, enum: values, properties, items, minimum, maximum } = schema;
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (type === 'object') {
    const members = Object.entries(Object(properties) as Record<string, JsonSchema>);
    return `{${members.map(([name, member]) => `"${name}": ${shapeOf(member)}`).join(', ')}}`;
  }
  if (type === 'array') return `[${shapeOf(Object(items))}, ...]`;
  if (type === 'string') return '"..."';
  return minimum === undefined || maximum === undefined ? `${type}` : `${minimum} to ${maximum}`;
}
