import type { ForkInput } from './fork-input.js';

/** Tells whether an input leaves the rest to the run that it forks. */
export function isFork(input: unknown): input is ForkInput {
  const { fork, method } = Object(input) as { fork?: unknown; method?: unknown };
  return fork !== undefined && method === undefined;
}
