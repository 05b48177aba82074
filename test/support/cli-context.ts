/** Commands in this process: what they work with, print and refuse. */
import { stripVTControlCharacters } from 'node:util';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { vi } from 'vitest';
import type { z } from 'zod';
import type { CliContext } from '../../cli/context.js';
import { addFlags, type TypedInput, typedInput } from '../../cli/flags.js';
import { createProgram } from '../../cli/program.js';
import { quietReporter } from './quiet-reporter.js';

/** Of nobody's machine, but for the changes. */
export function cliContext(changes: Partial<CliContext> = {}): CliContext {
  const { signal } = new AbortController();
  return { env: {}, home: '/nowhere', reporter: quietReporter, signal, ...changes };
}

/** Does some work; `text` is what that wrote to standard output, without colours. */
export async function printedBy<T>(work: () => Promise<T>): Promise<{ text: string; result: T }> {
  let text = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += chunk;
    return true;
  });
  try {
    const result = await work();
    return { result, text: stripVTControlCharacters(text) };
  } finally {
    write.mockRestore();
  }
}

/** Returns the command line that reads what is typed, and neither does nor writes anything. */
export function quietProgram(): CommandUnknownOpts {
  const all = createProgram(cliContext(), async () => {});
  for (const command of [all, ...all.commands, ...all.commands.flatMap((one) => one.commands)]) {
    command.configureOutput({ writeErr: () => {}, writeOut: () => {} });
  }
  return all;
}

/** Returns what a command throws before it does anything; undefined if it throws nothing. */
export async function refusalOf(
  words: readonly string[],
  changes: Partial<CliContext> = {},
): Promise<unknown> {
  let refused: unknown;
  const program = createProgram(cliContext(changes), async (command) => {
    refused = await Promise.resolve(command()).catch((error: unknown) => error);
  });
  await program.parseAsync([...words], { from: 'user' });
  return refused;
}

/** @example await typed(evalFlags, '--rpm', '60') */
export function typed(schema: z.ZodType, ...words: string[]): Promise<TypedInput> {
  return typedOn({}, schema, ...words);
}

/** The same on top of an input that is there. */
export function typedOn(below: object, schema: z.ZodType, ...words: string[]): Promise<TypedInput> {
  const command = addFlags(new Command(), schema, 'anything').exitOverride();
  command.configureOutput({ writeErr: () => {} }).parse(words, { from: 'user' });
  return typedInput(command, schema, { ...below });
}
