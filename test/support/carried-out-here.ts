/** Carries out a command in the process of the test, as `durable-rag` does in one of its own. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Runtime } from '@temporalio/worker';
import { carryOut } from '../../cli/carry-out.js';
import { terminalReporter } from '../../cli/terminal-reporter.js';
import { typedWith } from '../../core/command.js';
import { homeFolder } from '../../stores/home.js';
import './quiet-runtime.js';

/** What a command has written. */
interface Written {
  stdout: string;
  stderr: string;
}

/** Of the command that writes: several may be under way. */
const writing = new AsyncLocalStorage<Written & { pid: number }>();

/** No process has these numbers: a worker of a command that has ended is not taken for one that polls. */
let commands = 2 ** 22;
const { pid } = process;
Object.defineProperty(process, 'pid', {
  configurable: true,
  get: () => writing.getStore()?.pid ?? pid,
});

for (const name of ['stdout', 'stderr'] as const) {
  const { write } = process[name];
  process[name].write = ((...given: Parameters<typeof write>) => {
    const written = writing.getStore();
    if (!written) return write.apply(process[name], given);
    written[name] += given[0];
    return true;
  }) as typeof write;
}
// The process has its runtime, which is for all of its workers.
const { install } = Runtime;
Runtime.install = (options) =>
  writing.getStore() ? Runtime.instance() : install.call(Runtime, options);

/** @param env All of the environment that it sees. */
export async function carriedOutHere(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Written & { code: number }> {
  commands += 1;
  const written = { pid: commands, stdout: '', stderr: '' };
  const code = await writing.run(written, () =>
    carryOut(args, {
      env: { PATH: process.env.PATH, ...env },
      home: homeFolder(env),
      reporter: terminalReporter(),
      signal: new AbortController().signal,
    }),
  );
  typedWith([]);
  return { code, stdout: written.stdout, stderr: written.stderr };
}
