/**
 * Output types. The output type of a step determines its JSON schema, its strict reader, the
 * description of its form when the model is asked again, and the longest output.
 *
 * A reader accepts a value that is alone on its line or follows the last label, or JSON of the
 * schema. It infers nothing from a sentence: any other reply is unreadable and asked for again.
 */

import type { PromptSetPhrases } from '../../core/unknown.js';

/** A JSON schema, limited to the keywords that model endpoints accept. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The text that a model wrote, whether it was cut, and the lists of phrases that mean "does not
 * know" or a refusal, by which it is read.
 */
export interface ModelOutput extends PromptSetPhrases {
  text: string;
  /** Whether the model was stopped at the token limit. */
  cut: boolean;
  /**
   * Text after the first stop text, which `text` does not contain; undefined if there was no stop
   * text.
   */
  behind?: string;
  /**
   * Natural logarithm of the text's probability; undefined unless the step requests it and the
   * endpoint provides it.
   */
  logprob?: number | undefined;
}

/**
 * An output type: the form in which a model is asked for a value of type T, and how the value is
 * read.
 */
export interface Output<T> {
  /** JSON schema of the value; undefined if it is only read from text. */
  readonly schema?: JsonSchema;
  /** Description of the form in one line, shown when the model is asked again. */
  readonly form: string;
  /**
   * Words that the reader looks for, as regular expressions. A new prompt must keep those that the
   * current one contains. Left out if there are none.
   */
  readonly looksFor?: readonly string[];
  /** Returns the value; undefined if the output is unreadable. Never throws. */
  read(output: ModelOutput): T | undefined;
  /**
   * Returns the value of a reply that is far longer than asked for, which is used if no shorter one
   * follows. Left out if the form sets no number of words.
   */
  long?(output: ModelOutput): T | undefined;
  /**
   * Returns the longest value that can be read from a text of maximum length, for dry runs. Left
   * out if values are short.
   */
  longest?(text: string): T;
}

/**
 * Returns an output up to the first of several stop texts, not marked as cut, and with the text
 * after that stop text as `behind`. Returns it unchanged if it contains none of them.
 */
export function outputBefore(output: ModelOutput, ends: readonly string[]): ModelOutput {
  const { text } = output;
  const found = ends.filter((end) => text.includes(end));
  if (found.length === 0) return output;
  const first = found.reduce((a, b) => (text.indexOf(b) < text.indexOf(a) ? b : a));
  const at = text.indexOf(first);
  return { ...output, text: text.slice(0, at), cut: false, behind: text.slice(at + first.length) };
}

/** Returns the JSON schema of an object with exactly the given properties, all of them required. */
export function objectSchema(properties: Record<string, JsonSchema>): JsonSchema {
  const required = Object.keys(properties);
  return { type: 'object', properties, required, additionalProperties: false };
}

/**
 * Returns an output type whose values are those of another type after `map`. If `map` returns
 * undefined, the output is unreadable.
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
 * Returns a JSON schema in a short form that people and models can read.
 *
 * @example
 * shapeOf(objectSchema({ answer: { type: 'string', enum: ['True', 'False'] } }))
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

/**
 * Returns `count` distinct parts of equal length whose total length is about that of a text, for
 * dry runs.
 */
export function splitEvenly(text: string, count: number): string[] {
  const length = Math.ceil(text.length / count);
  return Array.from({ length: count }, (_, k) => {
    const mark = k.toString(36);
    return text.slice(text.length - length + mark.length) + mark;
  });
}
