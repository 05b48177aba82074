import { errorCodeOf, innermostMessage } from '../core/failure.js';

/**
 * The error of a part of the local stack that cannot be obtained, started or used. The message says
 * what to do.
 */
export class SetupError extends Error {
  override readonly name: string = 'SetupError';
}

/** No room left on the disk: the one trouble that no other source of a download can cure. */
export class DiskFullError extends SetupError {
  override readonly name = 'DiskFullError';
}

/** Returns the reason of an error; ours say it themselves. */
export function reasonOf(error: unknown): string {
  return error instanceof SetupError ? error.message : innermostMessage(error);
}

/** Tells whether the disk, or the user's share of it, takes no more. */
export function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(errorCodeOf(error) ?? '');
}
