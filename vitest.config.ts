import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Those that take most of a minute and more, the longest first: begun last, they would be waited for alone. */
const LONGEST = [
  'run/kinds-of-runs',
  'study/evaluate-study',
  'workers/versions',
  'docs/commands',
  'package/smoke',
  'run/eval-command',
  'study/killed',
  'chaos/chaos',
  'workers/upgrade',
  'half-price',
  'deploy/image',
  'run/fork-command',
  'examples/examples',
  'study/race',
  'package/empty-folder',
  'run/killed-copies',
  'run/stuck-provider-batches',
  'provider-batches/killed',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((one) => moduleId.includes(one));
      return at < 0 ? LONGEST.length : at;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
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
    // A command that is carried out here and has ended: its process lives on (cli/main.ts).
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
