import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** They take most of a minute and more: begun last, they would be waited for alone. */
const LONGEST = [
  'chaos/chaos',
  'half-price',
  'client/server-away',
  'run/stuck-provider-batches',
  'study/evaluate-study',
  'docs/commands',
  'run/eval-command',
  'package/smoke',
  'deploy/image',
  'workers/versions',
  'workers/upgrade',
  'run/kinds-of-runs',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      LONGEST.some((one) => moduleId.includes(one));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/temporal-setup.ts', 'test/support/on-demand-setup.ts'],
    sequence: { sequencer: LongestFirst },
    // Most tests wait for servers and processes more than they compute.
    maxWorkers: 5,
    // So many of the tests of a file that run beside each other.
    maxConcurrency: 3,
    // A process loads the modules and the SDK once, in place of once a file.
    isolate: false,
    setupFiles: ['test/support/set-up-file.ts'],
    // What commands say in this process is compared as text; CI would have it in colours.
    env: { NO_COLOR: '1' },
    // A command that is carried out here and has ended: its process lives on (cli/closed-channel.ts).
    onUnhandledError: ({ message }) => message !== 'Channel has been shut down',
    unstubEnvs: true,
    unstubGlobals: true,
    // A command is a process, and takes its time on a busy machine; no test asserts a time.
    testTimeout: 240_000,
    expect: { poll: { timeout: 60_000, interval: 150 } },
    // Of 5,500 tests beside each other on two cores, one may meet a moment that nobody waits for;
    // the reporter names what passed only when it was tried again.
    retry: process.env.CI ? 1 : 0,
    hookTimeout: 240_000,
  },
});
