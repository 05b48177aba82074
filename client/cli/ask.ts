/** `durable-rag ask`: one question, answered. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { MethodResult } from '../../methods/result.js';
import type { QuestionHandle } from '../question-handle.js';
import type { Surroundings } from './context.js';
import { follow } from './follow.js';
import { Interrupted, untilInterrupted } from './interrupt.js';
import { type Asked, type InputFlags, methodInput } from './method-input.js';
import { historyUrl, isTakenUp, ownPlace, type Place, runningPlace } from './place.js';
import { renderResult } from './render-result.js';

/** How long a cancelled question may take to wind up. */
const CANCEL_TIMEOUT_MS = 10_000;

/**
 * Asks a question where Temporal and a worker are running, and starts what is missing for as long
 * as the question takes.
 *
 * @returns the process's exit code: 0 only when the question was answered.
 */
export async function ask(
  question: string,
  flags: InputFlags & { json?: boolean; search?: string | undefined },
  surroundings: Surroundings,
): Promise<number> {
  const asked = await methodInput(question, flags);
  let place = (await runningPlace(surroundings)) ?? (await ownPlace(surroundings));
  if (flags.search !== undefined && !place.stack) {
    surroundings.reporter.warn(
      'A worker is running: where it searches is its own setting (DURABLE_RAG_SEARCH), not --search.',
    );
  }
  try {
    let handle = await start(asked, place);
    if (!place.stack && !(await isTakenUp(handle))) {
      surroundings.reporter.warn('No worker takes the question up, so one is started here.');
      await place.close();
      place = await ownPlace(surroundings);
      handle = await start(asked, place);
    }
    const { outcome } = await finish(handle, place, surroundings, flags.json);
    return outcome === 'answered' ? 0 : 1;
  } finally {
    await place.close();
  }
}

/**
 * Starts the question, or joins it. One that was answered before is asked again: that costs
 * nothing where nothing changed, and sees what has.
 */
export function start({ method, input }: Asked, { client }: Place) {
  return client.start(method, input, { again: true });
}

/** Follows the question to its end and prints the result on standard output. */
export async function finish(
  handle: QuestionHandle<unknown>,
  place: Place,
  { signal }: Surroundings,
  json = false,
): Promise<MethodResult> {
  const startedAt = Date.now();
  const result = await awaitResult(handle, place, signal);
  const text = json
    ? JSON.stringify(result, null, 2)
    : renderResult(result, {
        seconds: (Date.now() - startedAt) / 1000,
        historyUrl: historyUrl(place, result.workflowId),
      });
  process.stdout.write(`${text}\n`);
  return result;
}

/** Follows the question to its end; Ctrl-C cancels it. */
async function awaitResult(
  handle: QuestionHandle<unknown>,
  { stack }: Place,
  signal: AbortSignal,
): Promise<MethodResult> {
  const following = follow(handle);
  try {
    return await untilInterrupted(
      stack ? Promise.race([following, stack.lost]) : following,
      signal,
    );
  } catch (error) {
    following.catch(() => {});
    if (error instanceof Interrupted) {
      await handle.cancel();
      await Promise.race([following, sleep(CANCEL_TIMEOUT_MS, undefined, { ref: false })]);
    }
    throw error;
  }
}
