/** `durable-rag demo`: sets up everything, and asks one question of the sample corpus. */

import { command } from '../core/command.js';
import { messageOf } from '../core/failure.js';
import { MODELS } from '../temporal-dev/artifacts.js';
import { isFetched, obtainArtifact } from '../temporal-dev/fetch.js';
import { hasEndpoint } from '../temporal-dev/local-model.js';
import { printResult, startQuestion } from './ask.js';
import type { CliContext } from './context.js';
import { EXIT } from './exit-codes.js';
import { nothingTyped } from './flags.js';
import { Interrupted, untilInterrupted } from './interrupt.js';
import { methodInput } from './method-input.js';
import { methodsOf } from './own-methods.js';
import { ownSession } from './session.js';
import { mayFetch, type SetUpOptions, setUp } from './set-up.js';

const QUESTION = 'Who was granted the United States patent for the telephone in March 1876?';

/** Method and options of the demo: one call with few passages, so that it takes less than a minute. */
const FIRST = { ...nothingTyped, fields: { method: 'base', options: { passages: 3 } } };

const BETTER = MODELS['1.5b'];
const WHAT_IS_BETTER = `Fetch ${BETTER.title}, which answers better, for the next start?`;

/**
 * Downloads and starts what is missing, asks one question, and prints the answer and the duration
 * of each part. A machine without a model gets the smallest one first. If the question was
 * answered, on a terminal the stack then keeps running until Ctrl-C, so that the history can be
 * viewed, and a better model is downloaded meanwhile if the user agrees; otherwise the command
 * ends.
 *
 * @returns The exit code of the process: 0 if the question was answered.
 */
export async function demo({ yes }: SetUpOptions, given: CliContext): Promise<number> {
  const { reporter, signal } = given;
  const asked = methodInput(QUESTION, FIRST, methodsOf(given));
  const isSmallest = await lacksModel(given);
  const env = { ...given.env, ...(isSmallest && { DURABLE_RAG_LOCAL_MODEL: '0.5b' }) };
  const context = { ...given, env };
  const parts: string[] = [];
  const timed = async <T>(part: string, work: () => Promise<T>): Promise<T> => {
    const began = performance.now();
    const result = await work();
    parts.push(`${part} ${((performance.now() - began) / 1000).toFixed(1)} s`);
    return result;
  };
  await timed('fetching', () => setUp({ yes }, context));
  const session = await timed('starting', () => ownSession(context));
  let fetching: Promise<void> | undefined;
  let isAnswered = false;
  try {
    reporter.part('Question', QUESTION);
    const { outcome } = await timed('answering', async () =>
      printResult(await startQuestion(asked, session), session, context),
    );
    reporter.part('Took', parts.join(', '));
    isAnswered = outcome === 'answered';
    if (!isAnswered) return EXIT.unanswered;
    if (!process.stdout.isTTY || !session.stack) {
      reporter.part(
        'Stopping',
        `npx ${command('dev')} brings the history back at the same address`,
      );
      return 0;
    }
    const isWanted = isSmallest && (await mayFetch(WHAT_IS_BETTER, { yes }, context));
    reporter.part(
      'Running',
      `another terminal can ask: npx ${command('ask', 'YOUR QUESTION')}   Ctrl-C stops`,
    );
    if (isWanted) fetching = fetchBetter(context);
    return await untilInterrupted(session.stack.lost, signal);
  } catch (error) {
    if (isAnswered && error instanceof Interrupted) return 0;
    throw error;
  } finally {
    await session.close();
    await fetching;
  }
}

/** Returns whether a local model of the default size is needed and has not been downloaded. */
async function lacksModel({ env, home, config }: CliContext): Promise<boolean> {
  if (config?.model || hasEndpoint(env) || env.DURABLE_RAG_LOCAL_MODEL) return false;
  return !(await isFetched(BETTER, home));
}

/**
 * Downloads the better model, and reports the result. Never rejects, since the demo continues
 * without it.
 */
async function fetchBetter(context: CliContext): Promise<void> {
  try {
    await obtainArtifact(BETTER, context);
    context.reporter.part('Model', `${BETTER.title} is here: the next start uses it`);
  } catch (error) {
    if (!context.signal.aborted) context.reporter.warn(messageOf(error));
  }
}
