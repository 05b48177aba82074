import type { ForkInput } from './fork-input.js';

/** Tells whether an input is that of a fork. */
export function isFork(input: unknown): input is ForkInput {
  const { fork, method } = Object(input) as { fork?: unknown; method?: unknown };
  return fork !== undefined && method === undefined;
}
