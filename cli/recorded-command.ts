/** Records the command line of a run, for its manifest. */
import { commandLine } from '../core/command.js';
import { secretsIn } from '../core/settings.js';
import { scrub } from '../llm/scrub.js';
import type { CliContext } from './context.js';

/**
 * Returns the input of a run with the command line that made it, without secrets, as `command`. An
 * input that already has one is returned unchanged, as is any input if the command line is not
 * known.
 */
export function withCommandLine<I extends { command?: string | undefined }>(
  input: I,
  { words, env }: Pick<CliContext, 'env' | 'words'>,
): I {
  if (words === undefined || input.command !== undefined) return input;
  return { ...input, command: scrub(commandLine(words), secretsIn(env)) };
}
