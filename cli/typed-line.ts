/** What was typed to make a run, as its manifest keeps it. */
import { line } from '../core/command.js';
import { secretsIn } from '../core/settings.js';
import { scrub } from '../llm/scrub.js';
import type { CliContext } from './context.js';

/**
 * Returns an input with the command line that it was made of, without secrets. An input that says so
 * already, as that of a run which is asked again, stays as it is.
 */
export function withTypedLine<I extends { command?: string | undefined }>(
  input: I,
  { words, env }: Pick<CliContext, 'env' | 'words'>,
): I {
  if (words === undefined || input.command !== undefined) return input;
  return { ...input, command: scrub(line(words), secretsIn(env)) };
}
