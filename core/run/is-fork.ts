import type { ForkInput } from './fork-input.js';

/** Returns whether an input is a fork's: it has `fork` and no `method`. */
export function isFork(input: unknown): input is ForkInput {
  const { fork, method } = Object(input) as { fork?: unknown; method?: unknown };
  return fork !== undefined && method === undefined;
}
