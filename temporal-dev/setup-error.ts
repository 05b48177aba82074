/** The errors of setting up the local stack. */
import { errorCodeOf, innermostMessage } from '../core/failure.js';

/**
 * Error thrown if a part of the local stack cannot be obtained, started or used. Its message tells
 * a person what to do.
 */
export class SetupError extends Error {
  override readonly name: string = 'SetupError';
}

/** SetupError thrown if the disk is full. Other sources of a download are not tried after it. */
export class DiskFullError extends SetupError {
  override readonly name = 'DiskFullError';
}

/**
 * Returns the message of a SetupError; for any other error, the message of its innermost cause, or
 * its code or name if that message is empty.
 */
export function reasonOf(error: unknown): string {
  return error instanceof SetupError ? error.message : innermostMessage(error);
}

/** Returns whether an error of a write means that the disk or the user's quota is full. */
export function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(errorCodeOf(error) ?? '');
}
