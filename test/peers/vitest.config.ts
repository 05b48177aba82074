/** The tests that install other versions of peers: apart from the others, which have one version. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/peers/**/*.peers.ts'],
    globalSetup: ['test/support/temporal-setup.ts', 'test/support/on-demand-setup.ts'],
    // Says which versions were tried.
    reporters: ['verbose'],
    maxWorkers: 1,
    setupFiles: ['test/support/set-up-file.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 120_000,
  },
});
