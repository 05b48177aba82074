/** What commands print: on standard output what was asked for, as text or as one JSON value. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../core/failure.js';
import type { CliContext } from './context.js';
import { print, printJson } from './print.js';

/** Prints a value, as JSON where `--json` asks for that. */
export function show({ json }: Pick<CliContext, 'json'>, value: unknown, text: string): void {
  if (json) printJson(value, 2);
  else print(text);
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
