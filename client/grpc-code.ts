/** Codes of gRPC; the client package re-exports none. */
export const GRPC = {
  invalidArgument: 3,
  notFound: 5,
  permissionDenied: 7,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** Returns the code of a refusal by the server, or of one that an error has for its cause. */
export function grpcCode(error: unknown): number | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  return [error, cause].find(isOfGrpc)?.code;
}

/** Told by its fields: the client that could tell takes long to load, and most commands need none. */
function isOfGrpc(error: unknown): error is Error & { code: number } {
  return error instanceof Error && 'details' in error && 'metadata' in error && 'code' in error;
}
