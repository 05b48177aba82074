/** How a command ends that is carried out in this process. */
import { createProgram } from '../../cli/program.js';
import { quietReporter } from './quiet-reporter.js';

/** What a command throws before it does anything; undefined where it does not. */
export async function refusalOf(words: readonly string[]): Promise<unknown> {
  let refused: unknown;
  const { signal } = new AbortController();
  const context = { env: {}, home: '', reporter: quietReporter, signal };
  const program = createProgram(context, async (command) => {
    refused = await Promise.resolve(command()).catch((error: unknown) => error);
  });
  await program.parseAsync([...words], { from: 'user' });
  return refused;
}
