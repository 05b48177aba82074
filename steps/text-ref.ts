/** Long texts that several steps of a question read: a history holds each once. Pure. */

/**
 * A text by where it stands in a kept response, in place of the text itself. The text stands in the
 * history too, as the result of the step that wrote it, beside the same reference.
 */
export interface TextRef {
  /** The key of the response. */
  response: string;
  /** Where the text begins and ends in it, as `slice` counts. */
  from: number;
  to: number;
  /** First 12 hex digits of the text's sha256: another response may come to stand under the key. */
  sha256: string;
}

export function isTextRef(value: unknown): value is TextRef {
  const { response, from, to, sha256 } = Object(value) as Partial<TextRef>;
  return (
    typeof response === 'string' &&
    Number.isInteger(from) &&
    Number.isInteger(to) &&
    typeof sha256 === 'string'
  );
}

/** Returns the references in a JSON value, however deep they stand. */
export function textRefsIn(value: unknown): TextRef[] {
  if (isTextRef(value)) return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textRefsIn);
}

/**
 * Returns a JSON value with parts of it replaced.
 *
 * @param replace What stands for a part; undefined where the part stays, and its own parts are
 *   looked at.
 */
export function replaced(value: unknown, replace: (part: unknown) => unknown): unknown {
  const other = replace(value);
  if (other !== undefined) return other;
  if (Array.isArray(value)) return value.map((item) => replaced(item, replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, replaced(part, replace)]),
  );
}
