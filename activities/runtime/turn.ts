/**
 * Lets a call wait for its turn under the limit of tokens per minute, without occupying the worker.
 */
import { Context } from '@temporalio/activity';
import { Failure } from '../../core/failure.js';
import { isImpossible } from '../../core/usage.js';
import type { Completion, CompletionRequest } from '../../llm/language-model.js';
import type { TokenEstimates } from '../../llm/rates/token-estimates.js';
import type { Reservation, TokenLimiter } from '../../llm/rates/token-limiter.js';
import { BATCHED, INTERACTIVE } from '../../workflows/queue/priorities.js';
import { spentOf } from './estimate-loss.js';
import { NotYet, type Waited } from './retry-policy.js';

/** How far ahead a call may reserve a place at first, and at most. */
const HORIZON_MS = 10_000;
const FARTHEST_MS = 60_000;

/**
 * Returns how far ahead a call may reserve a place. A call of a run gets near places only, and
 * farther ones the longer it waits, so that no question waits for ever.
 */
function horizonMs(isAwaited: boolean, times: number): number {
  return isAwaited ? FARTHEST_MS : Math.min(HORIZON_MS * (1 + times), FARTHEST_MS);
}

/**
 * Makes a call when its turn has come.
 *
 * @returns The answer, and a function to call once it is stored: it corrects the place in the queue
 * by the tokens used.
 * @throws NotYet if the call should come back later; whatever the call throws.
 */
export async function inTurn<A extends { completion: Completion }>(
  tokens: TokenLimiter,
  estimates: TokenEstimates,
  request: CompletionRequest,
  waited: Waited,
  call: () => Promise<A>,
): Promise<{ answer: A; reconcile(): Promise<void> }> {
  const reservation = await placeFor(estimates.estimate(request), waited, tokens);
  // If it fails, the estimate stands; the call must not fail because of it.
  const reconcile = (used: number) => tokens.reconcile(reservation, used).catch(() => {});
  let answer: A;
  try {
    answer = await call();
  } catch (error) {
    // Without an answer the provider may have used the tokens; a refusal has not.
    const spent = spentOf(error);
    if (spent) await reconcile(spent.promptTokens + spent.completionTokens);
    else if (error instanceof Failure && !error.billed) await reconcile(0);
    throw error;
  }
  const { usage } = answer.completion;
  // The estimate stands if counts are missing or impossible: every prompt has tokens.
  if (usage === null || usage.promptTokens === 0 || isImpossible(usage)) {
    return { answer, reconcile: async () => {} };
  }
  estimates.learn(request, usage);
  return { answer, reconcile: () => reconcile(usage.promptTokens + usage.completionTokens) };
}

/** Reserves a place of this many tokens. @throws NotYet if it is not the call's turn. */
async function placeFor(
  count: number,
  { times, place }: Waited,
  tokens: TokenLimiter,
): Promise<Reservation | null> {
  // The key is 0 or undefined if none was given.
  const isAwaited = (Context.current().info.priority?.priorityKey || BATCHED) <= INTERACTIVE;
  const turn = await tokens.reserve({
    tokens: count,
    held: place,
    horizonMs: horizonMs(isAwaited, times),
    first: isAwaited,
  });
  if (turn.granted) return turn.reservation;
  const { reservation, retryAfterMs, limit } = turn;
  const waited = { times: times + 1, ...(reservation && { place: reservation }) };
  const why = `the limit is ${limit} tokens a minute`;
  throw new NotYet('AwaitsTokens', why, waited, retryAfterMs);
}
