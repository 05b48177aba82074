/** How a command ends that is carried out in this process. */
import type { CliContext } from '../../cli/context.js';
import { createProgram } from '../../cli/program.js';
import { cliContext } from './cli-context.js';

/** What a command throws before it does anything; undefined where it does not. */
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
