/** A call's turn under the limit of tokens per minute, waited for without holding the worker. */
import { Context } from '@temporalio/activity';
import { Failure } from '../../core/failure.js';
import { isImpossible } from '../../core/usage.js';
import type { Completion, CompletionRequest } from '../../llm/language-model.js';
import type { TokenEstimates } from '../../llm/rates/token-estimates.js';
import type { Reservation, TokenLimiter } from '../../llm/rates/token-limiter.js';
import { BATCHED, INTERACTIVE } from '../../workflows/queue/priorities.js';
import { spentOf } from './estimate-loss.js';

/** How a call has waited for its turn so far. JSON-safe. */
export interface Waited {
  times: number;
  /** Its place, where it has one to come back for. */
  place?: Reservation;
}

/** Thrown by a call whose turn has not come: neither a failure of the provider nor a refusal by it. */
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

/** How far ahead a call finds a place at first, and at most. */
const HORIZON_MS = 10_000;
const FARTHEST_MS = 60_000;

/**
 * A new question finds only near places, and farther ones the longer it has waited, so that the
 * later calls of questions under way come before it and none is left for ever.
 */
function horizonMs(priorityKey: number, times: number): number {
  return priorityKey < BATCHED ? FARTHEST_MS : Math.min(HORIZON_MS * (1 + times), FARTHEST_MS);
}

/**
 * Makes a call when its turn has come.
 *
 * @returns the completion, and what to call once it is safe: it gives back what was not used.
 * @throws NotYet when the call should come back later.
 */
export async function inTurn(
  tokens: TokenLimiter,
  estimates: TokenEstimates,
  request: CompletionRequest,
  { times, place }: Waited,
  call: () => Promise<Completion>,
): Promise<{ completion: Completion; settle(): Promise<void> }> {
  // 0 or nothing where no key was given.
  const priorityKey = Context.current().info.priority?.priorityKey || BATCHED;
  const turn = await tokens.reserve({
    tokens: estimates.estimate(request),
    held: place,
    horizonMs: horizonMs(priorityKey, times),
    first: priorityKey <= INTERACTIVE,
  });
  if (!turn.granted) {
    const { reservation, retryAfterMs, limit } = turn;
    const waited = { times: times + 1, ...(reservation && { place: reservation }) };
    const why = `the limit is ${limit} tokens a minute`;
    throw new NotYet('AwaitsTokens', why, waited, retryAfterMs);
  }
  const settle = (used: number) =>
    // What cannot be settled stands as it was estimated; the call is not to fail of it.
    tokens.settle(turn.reservation, used).catch(() => {});
  try {
    const completion = await call();
    const { usage } = completion;
    // The estimate stands for counts that are unknown, or that cannot be: a prompt has tokens.
    if (usage === null || usage.promptTokens === 0 || isImpossible(usage)) {
      return { completion, settle: async () => {} };
    }
    estimates.learn(request, usage);
    return { completion, settle: () => settle(usage.promptTokens + usage.completionTokens) };
  } catch (error) {
    // If no answer came, the provider may have used the tokens; if it refused, it has not.
    const spent = spentOf(error);
    if (spent) await settle(spent.promptTokens + spent.completionTokens);
    else if (error instanceof Failure && !error.billed) await settle(0);
    throw error;
  }
}
