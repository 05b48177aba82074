/** What commands print: on standard output what was asked for, as text or as one JSON value. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../methods/failure.js';
import type { CliContext } from './context.js';
import { print, printJson } from './print.js';

/** Prints a value, as JSON where `--json` asks for that. */
export function show({ json }: CliContext, value: unknown, text: string): void {
  if (json) printJson(value, 2);
  else print(text);
}

/** Says what to do now, on standard error; in JSON it is a field of what is printed. */
export function sayNext(
  { json, reporter, taskQueue }: Pick<CliContext, 'json' | 'reporter' | 'taskQueue'>,
  next: string | null | undefined,
): void {
  if (!json && next) reporter.part('Next', onQueue(next, taskQueue));
}

/** The commands in a text, on the task queue that the command before was typed with. */
export function onQueue(text: string, taskQueue: string | undefined): string {
  if (taskQueue === undefined) return text;
  const name = /^[\w./:-]+$/.test(taskQueue)
    ? taskQueue
    : `'${taskQueue.replaceAll("'", `'\\''`)}'`;
  return text.replace(/\bdurable-rag (?=[a-z])/g, () => `durable-rag --task-queue ${name} `);
}

/** @throws Failure BadInput where the file that `--out` names is a folder. */
export function checkOut(out: string, usual: string): void {
  if (!statSync(out, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new Failure(
    'BadInput',
    `--out: ${out} is a folder; name a file, such as ${join(out, usual)}`,
  );
}
