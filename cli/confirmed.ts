/** Asks the user yes-or-no questions at the terminal. */
import { createInterface } from 'node:readline/promises';
import type { CliContext } from './context.js';
import { untilInterrupted } from './interrupt.js';

/** Returns whether a person can be asked: both standard input and standard error are terminals. */
export function isInteractive(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/**
 * Asks a yes-or-no question at the terminal, and returns whether the answer is yes.
 *
 * @param usual The answer if the user only presses Enter.
 * @throws Interrupted after Ctrl-C.
 */
export async function isConfirmed(
  question: string,
  usual: 'yes' | 'no',
  { signal }: Pick<CliContext, 'signal'>,
): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const choice = usual === 'yes' ? '[Y/n]' : '[y/N]';
  try {
    const answer = await untilInterrupted(terminal.question(`${question} ${choice} `), signal);
    return /^y(es)?$/i.test(answer.trim() || usual);
  } finally {
    terminal.close();
  }
}
