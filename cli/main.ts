/** The command line: what is typed, and how it ends. */

import pc from 'picocolors';
import { Failure } from '../core/failure.js';
import { printable } from '../report/views/printable.js';
import { BuildInProgress } from '../retrieval/build-lock.js';
import { homeFolder } from '../stores/home.js';
import { SetupError } from '../temporal-dev/setup-error.js';
import { survivesClosedChannels } from './closed-channel.js';
import type { CliContext } from './context.js';
import {
  CommandFailure,
  EXIT,
  errorJson,
  exitCodeOf,
  isServerError,
  isSystemError,
  userMessage,
} from './exit-codes.js';
import { Interrupted, onInterrupt } from './interrupt.js';
import { sayNext } from './output.js';
import { tell, tellJson } from './print.js';
import { createProgram } from './program.js';
import { closeRuntime } from './runtime.js';
import { terminalReporter } from './terminal-reporter.js';

// What this process and its children make is for its owner alone, wherever it lies.
process.umask(0o077);

const context: CliContext = {
  env: { ...process.env },
  home: homeFolder(process.env),
  reporter: terminalReporter(),
  signal: onInterrupt(),
};

// A reader that has seen enough, such as "head", closes the pipe: that is no trouble.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
survivesClosedChannels();
await createProgram(context, run).parseAsync();
await closeRuntime();
// The server holds a wait for a run for twenty seconds, and the process of whoever has left it.
await Promise.all([process.stdout, process.stderr].map(written));
process.exit();

/** Resolves once what reads the stream has all of it, or is gone. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}

/** Runs a command; a trouble of a known kind is told without a stack. */
async function run(command: () => number | Promise<number>): Promise<void> {
  try {
    process.exitCode = await command();
  } catch (error) {
    if (error instanceof Interrupted) {
      process.exitCode = EXIT.interrupted;
      return;
    }
    process.exitCode = exitCodeOf(error);
    if (!isKnownTrouble(error)) throw error;
    if (context.logsJson && !context.json) {
      context.reporter.warn(userMessage(error), { level: 'error' });
      return;
    }
    if (!context.json) {
      tell(`${pc.red('Error')} ${printable(userMessage(error))}`);
      sayNext(context, error instanceof CommandFailure ? error.next : undefined);
      return;
    }
    tellJson(errorJson(error));
  }
}

/** Troubles whose message is written for the person at the terminal, or names what was refused. */
function isKnownTrouble(error: unknown): error is Error {
  if (isServerError(error) || isSystemError(error)) return true;
  return [Failure, SetupError, BuildInProgress].some((known) => error instanceof known);
}
