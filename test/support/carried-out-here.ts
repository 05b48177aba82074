/** Carries out a command in the process of the test, as `durable-rag` does in one of its own. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Runtime } from '@temporalio/worker';
import { carryOut } from '../../cli/carry-out.js';
import { Interrupted } from '../../cli/interrupt.js';
import { terminalReporter } from '../../cli/terminal-reporter.js';
import { setGlobalFlags } from '../../core/command.js';
import { homeFolder } from '../../stores/home.js';
import './quiet-runtime.js';

/** What the command writes to that is under way: there may be several. */
const writing = new AsyncLocalStorage<{ stdout: Said; stderr: Said; pid: number }>();

/** No process has these numbers: what has ended is not taken for a worker that polls. */
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
    written[name].add(String(given[0]));
    return true;
  }) as typeof write;
}
// The process has its runtime, which is for all of its workers.
const { install } = Runtime;
Runtime.install = (options) =>
  writing.getStore() ? Runtime.instance() : install.call(Runtime, options);

/**
 * Begins one.
 *
 * @param env All of the environment that it sees.
 */
export function begunHere(args: readonly string[], env: NodeJS.ProcessEnv) {
  commands += 1;
  const [stdout, stderr] = [new Said(), new Said()];
  const { signal, abort } = abortable();
  // Of a worker other commands see that its process lives.
  const as = { pid: args[0] === 'worker' ? pid : commands, stdout, stderr };
  const context = { env: { PATH: process.env.PATH, ...env }, home: homeFolder(env), signal };
  const carriedOut = writing.run(as, async () =>
    carryOut(args, { ...context, reporter: terminalReporter() }),
  );
  const finished = carriedOut.then((code): Finished => {
    setGlobalFlags([]);
    return { code, stdout: stdout.text, stderr: stderr.text };
  });
  return { finished, ...stderr.heard(finished), interrupt: abort };
}

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort(new Interrupted()) };
}

export function carriedOutHere(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Finished> {
  return begunHere(args, env).finished;
}

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** One of its streams, so far. */
export class Said {
  text = '';
  readonly #listening = new Set<() => void>();

  add(chunk: string): void {
    this.text += chunk;
    for (const listen of this.#listening) listen();
  }

  /** What a test hears of it while the command is under way. */
  heard(finished: Promise<Finished>) {
    return {
      said: () => this.text,
      /** Resolves once it holds the text; rejects if the command ends before. */
      says: (text: string) =>
        new Promise<void>((resolve, reject) => {
          const listen = () => {
            if (!this.text.includes(text)) return;
            this.#listening.delete(listen);
            resolve();
          };
          this.#listening.add(listen);
          listen();
          finished.then(
            () => reject(new Error(`It ended without saying "${text}": ${this.text}`)),
            reject,
          );
        }),
    };
  }
}
