/** Runs the command line: parses the arguments, and maps every error to a message and an exit code. */
import { CommanderError } from '@commander-js/extra-typings';
import pc from 'picocolors';
import { Failure, isSystemError } from '../core/failure.js';
import { printable } from '../report/views/printable.js';
import { BuildInProgress } from '../retrieval/build-lock.js';
import { SetupError } from '../temporal-dev/setup-error.js';
import type { CliContext } from './context.js';
import {
  CommandFailure,
  EXIT,
  errorJson,
  exitCodeOf,
  isServerError,
  userMessage,
} from './exit-codes.js';
import { Interrupted } from './interrupt.js';
import { printJsonToStderr, printToStderr } from './print.js';
import { printNextStep } from './print-output.js';
import { createProgram } from './program.js';

/**
 * Runs the command that the arguments name, prints its errors, and returns the exit code of the
 * process.
 *
 * @param words Arguments after the program's name.
 * @throws An unexpected error, which the caller prints with its stack.
 */
export async function carryOut(words: readonly string[], context: CliContext): Promise<number> {
  let code: number = EXIT.ok;
  context.words = words;
  const program = createProgram(context, async (command) => {
    code = await Promise.resolve()
      .then(command)
      .catch((error: unknown) => printError(error, context));
  });
  try {
    await program.parseAsync(words, { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return endOfUsage(error, words);
  }
}

/**
 * Returns the exit code after a parse error or a request for help, whose text Commander has
 * printed.
 */
function endOfUsage({ message, exitCode }: CommanderError, words: readonly string[]): number {
  if (exitCode === 0) return EXIT.ok;
  if (words.includes('--json')) {
    // Commander's messages have this prefix.
    printJsonToStderr(errorJson(new Failure('BadInput', message.replace(/^error: /, ''))));
  }
  return EXIT.usage;
}

/** Prints an error of a known kind without its stack, and returns its exit code. */
function printError(error: unknown, context: CliContext): number {
  if (error instanceof Interrupted) return EXIT.interrupted;
  if (!isForUsers(error)) throw error;
  if (context.json) {
    printJsonToStderr(errorJson(error));
  } else if (context.logsJson) {
    context.reporter.warn(userMessage(error), { level: 'error' });
  } else {
    printToStderr(`${pc.red('Error')} ${printable(userMessage(error))}`);
    printNextStep(context, error instanceof CommandFailure ? error.next : undefined);
  }
  return exitCodeOf(error);
}

/**
 * Returns whether an error's message is written for users, or reports what the system or the
 * Temporal server refused.
 */
function isForUsers(error: unknown): error is Error {
  if (isServerError(error) || isSystemError(error)) return true;
  return [Failure, SetupError, BuildInProgress].some((known) => error instanceof known);
}
