/** Vectors as numbers and as text. Pure. */

/** Returns the numbers rounded to 32 bits, so that a new vector equals a cached one. */
export function toFloat32(vector: readonly number[]): number[] {
  return Array.from(vector, Math.fround);
}

/**
 * Returns a vector as text: base64 of little-endian 32-bit floats, about a third as long as JSON.
 * Further digits are lost.
 */
export function encodeVector(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((value, k) => {
    bytes.writeFloatLE(value, k * 4);
  });
  return bytes.toString('base64');
}

/**
 * Returns the numbers of a vector from the base64 text that `encodeVector` returned; undefined if
 * the text is empty or not of whole 32-bit numbers.
 */
export function decodeVector(text: string): number[] | undefined {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0 || bytes.length % 4 !== 0) return undefined;
  return Array.from({ length: bytes.length / 4 }, (_, k) => bytes.readFloatLE(k * 4));
}

/**
 * Returns the cosine of two vectors of the same length, from -1 to 1; 0 if one of them is zero.
 */
export function cosine(a: readonly number[], b: readonly number[]): number {
  const norms = Math.hypot(...a) * Math.hypot(...b);
  if (norms === 0) return 0;
  const product = a.reduce((sum, value, k) => sum + value * (b[k] ?? 0), 0);
  return Math.max(-1, Math.min(1, product / norms));
}
