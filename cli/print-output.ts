/** Prints a command's result on standard output, as text or as one JSON value. */
import { statSync } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure, messageOf, undefinedIfMissing } from '../core/failure.js';
import { isFullDisk } from '../stores/full-disk.js';
import { writeAtomically } from '../stores/runs/atomic-file.js';
import type { CliContext } from './context.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { print, printJson } from './print.js';

/** The output of a command: the result as JSON and as text, the next step and the exit code. */
export interface CommandOutput {
  /** Standard output with `--json`. */
  value?: unknown;
  /** Standard output without `--json`. */
  text?: string;
  /** Next step for the user, as one line: see `printNextStep`. */
  next?: string | null | undefined;
  /** Exit code. @default 0 */
  code?: ExitCode;
}

/**
 * Prints a command's output to standard output, as JSON with `--json` and as text otherwise, and
 * returns its exit code. Without `--json`, the next step is printed to standard error.
 */
export function printOutput(
  context: Pick<CliContext, 'json' | 'reporter'>,
  { value, text, next, code = EXIT.ok }: CommandOutput,
): ExitCode {
  if (context.json && value !== undefined) printJson(value, 2);
  if (!context.json && text !== undefined) print(text);
  printNextStep(context, next);
  return code;
}

/**
 * Prints the next step to standard error, if there is one. With `--json` prints nothing, since it
 * is a field of the output.
 */
export function printNextStep(
  { json, reporter }: Pick<CliContext, 'json' | 'reporter'>,
  next: string | null | undefined,
): void {
  if (!json && next) reporter.part('Next', next);
}

/**
 * Throws if the path of `--out` is a folder.
 *
 * @param usual File name that the error suggests.
 * @throws Failure BadInput.
 */
export function checkOut(out: string, usual: string): void {
  if (!statSync(out, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new Failure(
    'BadInput',
    `--out: ${out} is a folder; name a file, such as ${join(out, usual)}`,
  );
}

/**
 * Writes a file completely or not at all. A pipe, a device or a symbolic link, such as
 * /dev/stdout, is written to directly.
 *
 * @param fill Writes the content, with the function that it gets.
 * @throws Failure Unexpected if the disk is full; errors of the file system.
 */
export async function writeOut(
  out: string,
  fill: Parameters<typeof writeAtomically>[1],
): Promise<void> {
  const there = await lstat(out).catch(undefinedIfMissing);
  if (!there || there.isFile()) return writeAtomically(out, fill);
  const handle = await open(out, 'w');
  try {
    await fill((text) => handle.appendFile(text));
  } catch (cause) {
    if (!isFullDisk(cause)) throw cause;
    throw new Failure('Unexpected', `${out} cannot be written: ${messageOf(cause)}.`, { cause });
  } finally {
    await handle.close();
  }
}
