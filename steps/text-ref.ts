/**
 * References to long texts that several steps of a question use, so that the history contains each
 * text once. Pure.
 */

/**
 * A reference to a text within a stored response of a model: the key of the response, and the
 * start and end of the text in it. Later steps get it instead of the text.
 */
export interface TextRef {
  /** Key of the response in the cache. */
  response: string;
  /** Start and end of the text in the response, as for `String.slice`. */
  from: number;
  to: number;
  /**
   * First 12 hex digits of the text's SHA-256, to detect that another response was stored under the
   * key.
   */
  sha256: string;
}

/** Returns whether a value has the form of a reference to a text. */
export function isTextRef(value: unknown): value is TextRef {
  const { response, from, to, sha256 } = Object(value) as Partial<TextRef>;
  return (
    typeof response === 'string' &&
    Number.isInteger(from) &&
    Number.isInteger(to) &&
    typeof sha256 === 'string'
  );
}

/** Returns all references to texts in a JSON value, at any depth, in order. */
export function textRefsIn(value: unknown): TextRef[] {
  if (isTextRef(value)) return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textRefsIn);
}

/**
 * Returns a copy of a JSON value with some parts replaced, at any depth.
 *
 * @param replace Returns the replacement of a part; undefined to keep the part and call it for the
 * parts within.
 */
export function replaceParts(value: unknown, replace: (part: unknown) => unknown): unknown {
  const other = replace(value);
  if (other !== undefined) return other;
  if (Array.isArray(value)) return value.map((item) => replaceParts(item, replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, replaceParts(part, replace)]),
  );
}

/**
 * A collection of one question's long texts with their references, which replaces the texts by
 * references in the inputs of later steps.
 */
export class KnownTexts {
  readonly #refs = new Map<string, TextRef>();

  /** Adds the output of a step; does nothing unless it is a text with a reference. */
  add(value: unknown, ref: TextRef | undefined): void {
    if (ref && typeof value === 'string') this.#refs.set(value, ref);
  }

  /**
   * Returns a copy of an input with known texts replaced by references; undefined if it contains
   * none.
   */
  replacedIn(input: unknown): unknown {
    if (this.#refs.size === 0) return undefined;
    const shorter = replaceParts(input, (part) =>
      typeof part === 'string' ? this.#refs.get(part) : undefined,
    );
    return textRefsIn(shorter).length === 0 ? undefined : shorter;
  }
}
