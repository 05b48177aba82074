/** Reads what a server sent without believing its shape. Pure. */

export type Fields = Record<string, unknown>;

/** Returns the fields of an object; none of anything else. */
export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** Returns a count; 0 of anything else. */
export function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}
