/** `durable-rag demo`: the whole of it on one question of the sample corpus. */
import { readConfig } from '../../workers/config.js';
import { awaitResult, connect, methodInput, type Place, print, startQuestion } from './ask.js';
import { Interrupted, untilInterrupted } from './interrupt.js';
import { type Surroundings, startStackWithWorker } from './local.js';

const QUESTION = 'Who was granted the first United States patent for the telephone?';

/**
 * Sets up what is missing, asks one question by SuRe and prints the answer. On a terminal the
 * stack then stays up, so that the history can be looked at; otherwise it ends.
 */
export async function demo(surroundings: Surroundings): Promise<number> {
  const { reporter, signal, env } = surroundings;
  const stack = await startStackWithWorker(surroundings);
  const place: Place = { temporal: stack.temporal, stack };
  try {
    const { client, close } = await connect(place, readConfig(env).taskQueue);
    reporter.part('Question', QUESTION);
    const startedAt = Date.now();
    const handle = await startQuestion(
      client,
      'sure',
      await methodInput(QUESTION, { method: 'sure', cache: true }),
    );
    const result = await awaitResult(handle, place, signal);
    print(result, {}, place, (Date.now() - startedAt) / 1000);
    await close();
    if (result.outcome !== 'answered') return 1;
    if (!process.stdout.isTTY) return 0;
    reporter.part(
      'Running',
      'ask more from another terminal: npx durable-rag ask "..."   Ctrl-C stops',
    );
    return await untilInterrupted(stack.lost, signal);
  } catch (error) {
    if (error instanceof Interrupted) return 0;
    throw error;
  } finally {
    await stack.stop();
  }
}
