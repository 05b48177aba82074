import { errorCodeOf, innermostMessage } from '../core/failure.js';

/**
 * Thrown if a part of the local stack cannot be obtained, started or used. The message includes what
 * to do.
 */
export class SetupError extends Error {
  override readonly name: string = 'SetupError';
}

/** Thrown if the disk is full, so that other sources of a download need not be tried. */
export class DiskFullError extends SetupError {
  override readonly name = 'DiskFullError';
}

/** Returns the message of a SetupError; of any other error, its most specific message and code. */
export function reasonOf(error: unknown): string {
  return error instanceof SetupError ? error.message : innermostMessage(error);
}

/** Tells whether an error means that the disk or the user's quota is full. */
export function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(errorCodeOf(error) ?? '');
}
