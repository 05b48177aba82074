/** `durable-rag demo`: the whole of it on one question of the sample corpus. */

import { command } from '../core/command.js';
import { finish, start } from './ask.js';
import type { CliContext } from './context.js';
import { EXIT } from './exit-codes.js';
import { nothingTyped } from './flags.js';
import { Interrupted, untilInterrupted } from './interrupt.js';
import { methodInput } from './method-input.js';
import { methodsOf } from './own-methods.js';
import { ownSession } from './session.js';
import { type SetUp, setUp } from './set-up.js';

const QUESTION = 'Who was granted the United States patent for the telephone in March 1876?';

/**
 * Sets up what is missing, asks one question by SuRe and prints the answer. On a terminal the
 * stack then stays up, so that the history can be looked at; elsewhere it ends.
 *
 * @returns the process's exit code: 0 when the question was answered.
 */
export async function demo({ yes }: SetUp, context: CliContext): Promise<number> {
  const { reporter, signal } = context;
  const asked = methodInput(QUESTION, nothingTyped, methodsOf(context));
  await setUp({ yes }, context);
  const session = await ownSession(context);
  try {
    reporter.part('Question', QUESTION);
    const { outcome } = await finish(await start(asked, session), session, context);
    if (outcome !== 'answered') return EXIT.unanswered;
    if (!process.stdout.isTTY || !session.stack) {
      reporter.part(
        'Stopping',
        `npx ${command('dev')} brings the history back at the same address`,
      );
      return 0;
    }
    reporter.part(
      'Running',
      `another terminal can ask: npx ${command('ask', 'YOUR QUESTION')}   Ctrl-C stops`,
    );
    return await untilInterrupted(session.stack.lost, signal);
  } catch (error) {
    if (error instanceof Interrupted) return 0;
    throw error;
  } finally {
    await session.close();
  }
}
