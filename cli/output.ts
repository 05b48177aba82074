/** What commands print: on standard output what was asked for, as text or as one JSON value. */
import { statSync } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { absent, Failure, messageOf } from '../core/failure.js';
import { isFullDisk } from '../stores/full-disk.js';
import { writeAtomically } from '../stores/runs/atomic-file.js';
import type { CliContext } from './context.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { print, printJson } from './print.js';

/** What a command tells at its end. */
export interface Output {
  /** Standard output as `--json` asks for it. */
  value?: unknown;
  /** Standard output for people. */
  text?: string;
  /** What to do now, see `sayNext`. */
  next?: string | null | undefined;
  /** @default that of a command that ended well */
  code?: ExitCode;
}

/** Prints what a command tells, and returns the code that it ends with. */
export function show(
  context: Pick<CliContext, 'json' | 'reporter'>,
  { value, text, next, code = EXIT.ok }: Output,
): ExitCode {
  if (context.json && value !== undefined) printJson(value, 2);
  if (!context.json && text !== undefined) print(text);
  sayNext(context, next);
  return code;
}

/** Says what to do now, on standard error; in JSON it is a field of what is printed. */
export function sayNext(
  { json, reporter }: Pick<CliContext, 'json' | 'reporter'>,
  next: string | null | undefined,
): void {
  if (!json && next) reporter.part('Next', next);
}

/** @throws Failure BadInput where the file that `--out` names is a folder. */
export function checkOut(out: string, usual: string): void {
  if (!statSync(out, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new Failure(
    'BadInput',
    `--out: ${out} is a folder; name a file, such as ${join(out, usual)}`,
  );
}

/**
 * Writes what a flag names: a file whole or not at all. What is no file, such as a pipe or the link
 * /dev/stdout, stays what it is and is written into.
 */
export async function writeOut(
  out: string,
  fill: Parameters<typeof writeAtomically>[1],
): Promise<void> {
  const there = await lstat(out).catch(absent);
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
