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

/** How often a call has waited for its turn, and its place. JSON-safe. */
export interface Waited {
  times: number;
  /** Its reserved place; undefined if it has none yet. */
  place?: Reservation;
}

/** Thrown by a call whose turn has not come; neither a failure nor a refusal of the provider. */
export class NotYet extends Failure {
  readonly waited: Waited;

  constructor(
    type: 'AwaitsTokens' | 'AwaitsAnswer',
    why: string,
    waited: Waited,
    retryAfterMs: number,
  ) {
    super(type, `Comes back in ${(retryAfterMs / 1000).toFixed(1)} s: ${why}.`, { retryAfterMs });
    this.waited = waited;
  }
}

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
 * @returns The completion, and a function to call once it is stored; it gives back unused tokens.
 * @throws NotYet if the call should come back later.
 */
export async function inTurn(
  tokens: TokenLimiter,
  estimates: TokenEstimates,
  request: CompletionRequest,
  { times, place }: Waited,
  call: () => Promise<Completion>,
): Promise<{ completion: Completion; settle(): Promise<void> }> {
  // The key is 0 or undefined if none was given.
  const isAwaited = (Context.current().info.priority?.priorityKey || BATCHED) <= INTERACTIVE;
  const turn = await tokens.reserve({
    tokens: estimates.estimate(request),
    held: place,
    horizonMs: horizonMs(isAwaited, times),
    first: isAwaited,
  });
  if (!turn.granted) {
    const { reservation, retryAfterMs, limit } = turn;
    const waited = { times: times + 1, ...(reservation && { place: reservation }) };
    const why = `the limit is ${limit} tokens a minute`;
    throw new NotYet('AwaitsTokens', why, waited, retryAfterMs);
  }
  const reconcile = (used: number) =>
    // If settling fails, the estimate stands; the call must not fail because of it.
    tokens.settle(turn.reservation, used).catch(() => {});
  try {
    const completion = await call();
    const { usage } = completion;
    // The estimate stands if counts are missing or impossible: every prompt has tokens.
    if (usage === null || usage.promptTokens === 0 || isImpossible(usage)) {
      return { completion, settle: async () => {} };
    }
    estimates.learn(request, usage);
    return { completion, settle: () => reconcile(usage.promptTokens + usage.completionTokens) };
  } catch (error) {
    // Without an answer the provider may have used the tokens; a refusal has not.
    const spent = spentOf(error);
    if (spent) await reconcile(spent.promptTokens + spent.completionTokens);
    else if (error instanceof Failure && !error.billed) await reconcile(0);
    throw error;
  }
}
