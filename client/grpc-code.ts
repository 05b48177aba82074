/** gRPC codes; the client package re-exports none. */
export const GRPC = {
  invalidArgument: 3,
  notFound: 5,
  permissionDenied: 7,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/**
 * Returns the code of a server's refusal, or of one that is an error's cause; undefined for other
 * errors.
 */
export function grpcCode(error: unknown): number | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  return [error, cause].find(isOfGrpc)?.code;
}

/**
 * Tells by its fields whether an error is gRPC's. The client's own class takes long to load, and
 * most commands do not need it.
 */
function isOfGrpc(error: unknown): error is Error & { code: number } {
  return error instanceof Error && 'details' in error && 'metadata' in error && 'code' in error;
}
