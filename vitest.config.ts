import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/temporal-setup.ts', 'test/support/elasticsearch-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
