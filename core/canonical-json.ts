import { isObject } from './is-object.js';

/**
 * Returns a value as JSON with the keys of all objects sorted, so that equal values give the same
 * text. Undefined fields are left out.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/**
 * Returns the value of a JSON text; undefined if the text is undefined or not JSON. Never throws.
 */
export function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
