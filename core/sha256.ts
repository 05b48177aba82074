import { createHash } from 'node:crypto';

/**
 * Returns the SHA-256 of a text or of bytes in hexadecimal digits: all 64, or the first `digits`.
 * Not for workflows.
 */
export function sha256Of(content: string | Uint8Array, digits = 64): string {
  return createHash('sha256').update(content).digest('hex').slice(0, digits);
}

/**
 * Returns the beginning of the SHA-256 of a content in base64url, as its id in histories and
 * stores. Not for workflows.
 *
 * @param characters Length of the id; each character has six bits, so that ids of 16 do not
 * collide.
 */
export function contentHash(content: string, characters = 16): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, characters);
}
