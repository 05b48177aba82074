/** Vectors as numbers and as text. Pure. */

/** In 32 bits, as they are kept, so that a vector is the same fresh and from the cache. */
export function rounded(vector: readonly number[]): number[] {
  return Array.from(vector, Math.fround);
}

/** A third of the length that JSON would take. */
export function encodeVector(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((value, k) => {
    bytes.writeFloatLE(value, k * 4);
  });
  return bytes.toString('base64');
}

/** Undefined when the text holds no vector. */
export function decodeVector(text: string): number[] | undefined {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0 || bytes.length % 4 !== 0) return undefined;
  return Array.from({ length: bytes.length / 4 }, (_, k) => bytes.readFloatLE(k * 4));
}

/** From -1 to 1; 0 when one of them has no direction. Both must have the same length. */
export function cosine(a: readonly number[], b: readonly number[]): number {
  const norms = Math.hypot(...a) * Math.hypot(...b);
  if (norms === 0) return 0;
  const product = a.reduce((sum, value, k) => sum + value * (b[k] ?? 0), 0);
  return Math.max(-1, Math.min(1, product / norms));
}
