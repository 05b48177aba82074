/** How a command ends that is carried out in this process. */
import { createProgram } from '../../cli/program.js';
import { cliContext } from './cli-context.js';

/** What a command throws before it does anything; undefined where it does not. */
export async function refusalOf(words: readonly string[]): Promise<unknown> {
  let refused: unknown;
  const program = createProgram(cliContext(), async (command) => {
    refused = await Promise.resolve(command()).catch((error: unknown) => error);
  });
  await program.parseAsync([...words], { from: 'user' });
  return refused;
}
