/** How much of the pure code its own tests reach: they need no server, and take a minute. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/{core,steps,evaluation/metrics,evaluation/statistics}/**/*.test.ts'],
    maxWorkers: 2,
    isolate: false,
    setupFiles: ['test/support/set-up-file.ts'],
    testTimeout: 120_000,
    coverage: {
      enabled: true,
      provider: 'v8',
      reporter: ['text-summary'],
      include: [
        'core/**/*.ts',
        'steps/**/*.ts',
        'evaluation/metrics/**/*.ts',
        'evaluation/statistics/**/*.ts',
      ],
    },
  },
});
