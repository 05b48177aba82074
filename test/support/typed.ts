/** What the command line makes of words that were typed. */
import { Command } from '@commander-js/extra-typings';
import type { z } from 'zod';
import { addFlags, type TypedInput, typedInput } from '../../cli/flags.js';

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
