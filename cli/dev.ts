/** `durable-rag dev`: the local stack with a worker, in the foreground. */

import { command } from '../core/command.js';
import type { CliContext } from './context.js';
import { Interrupted, untilInterrupted } from './interrupt.js';
import { startStackWithWorker } from './local.js';
import { type SetUpOptions, setUp } from './set-up.js';

/**
 * Downloads what is missing, runs the local stack with a worker until Ctrl-C, and returns exit
 * code 0. Asks before a download only on a terminal, without `--json` and without `yes`.
 *
 * @throws Failure Connection if a part of the stack ends by itself; and as `setUp`.
 */
export async function dev({ yes }: SetUpOptions, context: CliContext): Promise<number> {
  const { reporter, signal } = context;
  await setUp({ yes }, context);
  const stack = await startStackWithWorker(context);
  try {
    reporter.part(
      'Ready',
      `ask with: npx ${command('ask', 'YOUR QUESTION')}   Ctrl-C stops everything`,
    );
    return await untilInterrupted(stack.lost, signal);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    reporter.part('Stopping', 'running work continues at the next start');
    return 0;
  } finally {
    await stack.stop();
  }
}
