/**
 * References to long texts that several steps of a question read, so that a history contains each
 * once. Pure.
 */

/**
 * A reference to a text within a stored response, passed instead of the text. The history contains
 * the text as the result of the step that wrote it, together with the reference.
 */
export interface TextRef {
  /** Key of the response. */
  response: string;
  /** Start and end of the text in the response, as `slice` takes them. */
  from: number;
  to: number;
  /**
   * First 12 hex digits of the text's SHA-256, since another response may be stored under the key
   * later.
   */
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

/** Returns all references in a JSON value, at any depth. */
export function textRefsIn(value: unknown): TextRef[] {
  if (isTextRef(value)) return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textRefsIn);
}

/**
 * Returns a JSON value with some parts replaced.
 *
 * @param replace Returns the replacement of a part; undefined to keep it and examine its own parts.
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

/** The long texts of one question, each with the reference by which later steps get it. */
export class KnownTexts {
  readonly #refs = new Map<string, TextRef>();

  /** Adds the output of a step, if it is a text with a reference. */
  add(value: unknown, ref: TextRef | undefined): void {
    if (ref && typeof value === 'string') this.#refs.set(value, ref);
  }

  /** Returns an input with references in place of known texts; undefined if it contains none. */
  replacedIn(input: unknown): unknown {
    if (this.#refs.size === 0) return undefined;
    const shorter = replaced(input, (part) =>
      typeof part === 'string' ? this.#refs.get(part) : undefined,
    );
    return textRefsIn(shorter).length === 0 ? undefined : shorter;
  }
}
