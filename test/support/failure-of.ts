import { Failure } from '../../core/failure.js';

/** Waits for a Failure, and gives it back. */
export async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  const error = await promise.catch((reason: unknown) => reason);
  if (error instanceof Failure) return error;
  throw new Error(`Not a Failure: ${String(error)}`);
}
