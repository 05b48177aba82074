import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/temporal-setup.ts', 'test/support/elasticsearch-setup.ts'],
    // Most tests wait for servers and processes more than they compute.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
