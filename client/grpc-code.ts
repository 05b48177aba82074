/**
 * gRPC status codes, which the Temporal client does not export, and how to read them from errors.
 */

/** The gRPC status codes that the project distinguishes, by name. */
export const GRPC = {
  invalidArgument: 3,
  notFound: 5,
  permissionDenied: 7,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/**
 * Returns the gRPC status code of an error or of its direct cause; undefined if neither is a gRPC
 * error.
 */
export function grpcCode(error: unknown): number | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  return [error, cause].find(isOfGrpc)?.code;
}

/**
 * Returns whether an error is gRPC's, by its fields. The client's own class is slow to load, and
 * most commands do not need it.
 */
function isOfGrpc(error: unknown): error is Error & { code: number } {
  return error instanceof Error && 'details' in error && 'metadata' in error && 'code' in error;
}
