/**
 * Output types. From the type that a step declares follow a JSON schema, one strict reader, the
 * reminder of the form when it is asked again, and the longest output.
 *
 * A reader takes a value that is alone on its line or after the last label of its form, or JSON of
 * the schema. It concludes nothing from a sentence: any other reply is unreadable and asked for
 * again.
 */

import type { PromptSetPhrases } from '../../core/unknown.js';

/** A JSON schema in the form that endpoints accept. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The text that a model wrote, and the word lists of its prompt set. */
export interface ModelOutput extends PromptSetPhrases {
  text: string;
  /** Whether the model was stopped at the token limit. */
  cut: boolean;
  /**
   * What stands behind the first of the step's stop texts, which is left out of `text`, if one
   * came.
   */
  behind?: string;
  /** Logarithm of the text's probability, if the step asks for it and the endpoint provides it. */
  logprob?: number | undefined;
}

/** An output type: its form in text and JSON, and how it is read. */
export interface Output<T> {
  /** Its JSON schema; a type with its own reader may have none. */
  readonly schema?: JsonSchema;
  /** How to answer, in one line; shown when the model is asked again. */
  readonly form: string;
  /**
   * Words that the reader looks for, as patterns: a prompt that names them has to go on doing so.
   * Left out if there are none.
   */
  readonly looksFor?: readonly string[];
  /** Returns the value; undefined if the output is unreadable. Never throws. */
  read(output: ModelOutput): T | undefined;
  /**
   * Returns the value of a reply far longer than asked for, which counts if no shorter one follows.
   * Left out if the type asks for no number of words.
   */
  long?(output: ModelOutput): T | undefined;
  /** Returns the longest value in a text of this length; left out if values are short. */
  longest?(text: string): T;
}

/** Returns the output before the first of some texts; unchanged if it contains none. */
export function upTo(output: ModelOutput, ends: readonly string[]): ModelOutput {
  const { text } = output;
  const found = ends.filter((end) => text.includes(end));
  if (found.length === 0) return output;
  const first = found.reduce((a, b) => (text.indexOf(b) < text.indexOf(a) ? b : a));
  const at = text.indexOf(first);
  return { ...output, text: text.slice(0, at), cut: false, behind: text.slice(at + first.length) };
}

/** Returns the schema of an object with exactly these members, all required. */
export function objectSchema(properties: Record<string, JsonSchema>): JsonSchema {
  const required = Object.keys(properties);
  return { type: 'object', properties, required, additionalProperties: false };
}

/**
 * Returns a type with another value, computed from the original one; unreadable if that is
 * undefined.
 */
export function mapped<T, R>(
  { longest, read, long, ...output }: Output<T>,
  map: (value: T, output: ModelOutput) => R | undefined,
): Output<R> {
  const mappedBy = (reader: Output<T>['read']) => (written: ModelOutput) => {
    const value = reader(written);
    return value === undefined ? undefined : map(value, written);
  };
  return {
    ...output,
    read: mappedBy(read),
    ...(long && { long: mappedBy(long) }),
    ...(longest && {
      longest: (text: string) => map(longest(text), { text, cut: false }) as R,
    }),
  };
}

/**
 * Returns the shape of a schema in one line, as a prompt shows it.
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

/** Returns a text in `count` parts of equal length, all different where there is room for it. */
export function inParts(text: string, count: number): string[] {
  const length = Math.ceil(text.length / count);
  return Array.from({ length: count }, (_, k) => {
    const mark = k.toString(36);
    return text.slice(text.length - length + mark.length) + mark;
  });
}
