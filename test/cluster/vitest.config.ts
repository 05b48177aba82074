/** The tests that need a whole cluster: apart from the others, which do not. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/cluster/**/*.cluster.ts'],
    // Says how many calls were repeated, and how much of a limit was used.
    reporters: ['verbose'],
    maxWorkers: 1,
    setupFiles: ['test/support/set-up-file.ts'],
    hookTimeout: 120_000,
  },
});
