import { createHash } from 'node:crypto';

/**
 * Returns the SHA-256 of a text or of bytes in hexadecimal digits: all 64, or the first `digits`.
 * Not for workflows.
 */
export function sha256Of(content: string | Uint8Array, digits = 64): string {
  return createHash('sha256').update(content).digest('hex').slice(0, digits);
}

/**
 * Returns an id made from a content, for what histories and stores name by it: letters, digits, "-"
 * and "_", each of which holds six bits of the SHA-256. Not for workflows.
 *
 * @param characters Length: 16 hold 96 bits, so that no two contents come to share an id.
 */
export function contentHash(content: string, characters = 16): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, characters);
}
