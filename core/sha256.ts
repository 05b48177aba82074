import { createHash } from 'node:crypto';

/**
 * Returns the SHA-256 of a text or of bytes in hexadecimal digits: all 64, or the first `digits`.
 * Not for workflows.
 */
export function sha256Of(content: string | Uint8Array, digits = 64): string {
  return createHash('sha256').update(content).digest('hex').slice(0, digits);
}
