/**
 * Makes a paid call when its turn has come under the limit of tokens per minute, without occupying
 * the worker while it waits.
 */
import { Context } from '@temporalio/activity';
import { Failure } from '../../core/failure.js';
import { type EstimatedUsage, isImpossible } from '../../core/usage.js';
import { returnedCompletion } from '../../llm/cache-entry.js';
import type { Completion, CompletionRequest } from '../../llm/language-model.js';
import type { TokenEstimates } from '../../llm/rates/token-estimates.js';
import type { Reservation, TokenLimiter } from '../../llm/rates/token-limiter.js';
import type { StepCall } from '../../steps/call.js';
import { BATCHED, INTERACTIVE } from '../../workflows/queue/priorities.js';
import { mayBeBilled, spentOf } from './estimate-loss.js';
import type { RenderedCall } from './model-request.js';
import type { Ports, QuestionWatch } from './ports.js';
import { type CallAttempt, cancellationOf } from './provider-call.js';
import { NotYet, type Waited } from './retry-policy.js';

/** A call that one attempt of an activity makes. */
export interface PaidCall {
  rendered: RenderedCall;
  attempt: CallAttempt;
  ports: Ports;
  estimates: TokenEstimates;
  /** Fires when nobody waits for the response any more, or its time is used up. */
  givenUp: AbortSignal;
}

/**
 * Makes a call when its turn has come; see `inTurn`.
 *
 * @param loss Estimated cost if it gets no answer.
 */
export function callInTurn(paid: PaidCall, loss: EstimatedUsage) {
  const { rendered, attempt, ports, estimates } = paid;
  const { waited } = attempt.left;
  return inTurn(ports.tokens, estimates, rendered.request, waited, () => complete(paid, loss));
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

/** Makes the call. If it fails, counts what it may have cost. */
async function complete(
  { rendered: { call, request }, attempt, ports: { llm, tenants }, givenUp }: PaidCall,
  loss: EstimatedUsage,
): Promise<{ completion: Completion; ms: number }> {
  try {
    await tenants.admit(call.tenant, loss.costUsd);
    const since = performance.now();
    const returned = await llm.complete(request, givenUp);
    const ms = Math.round(performance.now() - since);
    return { completion: returnedCompletion('LanguageModel.complete', returned, request), ms };
  } catch (error) {
    if (mayBeBilled(error)) attempt.addLoss(spentOf(error) ?? loss);
    throw isLate(error, attempt) && !mayEndInTime(request, call) ? notAgain(call) : error;
  }
}

function isLate(error: unknown, { timeout }: CallAttempt): boolean {
  return timeout.aborted || (error instanceof Failure && error.type === 'Timeout');
}

/**
 * Tells whether a request that timed out may be answered in time if it is sent again. At
 * temperature 0 the model writes the same again. A request with twice the tokens is therefore not
 * repeated; one with half of them would have reached its limit in time.
 */
function mayEndInTime({ temperature }: CompletionRequest, { doubled }: StepCall): boolean {
  return temperature > 0 || !doubled;
}

function notAgain({ timeoutSeconds }: StepCall): Failure {
  const message =
    `No answer within ${timeoutSeconds} s (limits.callTimeoutSeconds), with twice the tokens: ` +
    'the same request is not sent again.';
  return new Failure('Timeout', message, { retryable: false });
}

/**
 * Returns a signal that fires once the call has used up its time or nobody wants its answer: the
 * activity is cancelled, its workflow has ended, or the worker stops. It does not fire if the server
 * took this attempt for dead, since the next attempt waits for its answer.
 */
export function givenUpSignal(
  { timeout }: CallAttempt,
  watch: Pick<QuestionWatch, 'isRunning'>,
): AbortSignal {
  const context = Context.current();
  const cancellation = cancellationOf(context);
  const unwanted = new AbortController();
  const decide = async () => {
    if (!(await isAwaited(context, watch))) unwanted.abort(cancellation.reason);
  };
  if (cancellation.aborted) void decide();
  else cancellation.addEventListener('abort', () => void decide(), { once: true });
  return AbortSignal.any([timeout, unwanted.signal]);
}

/** Tells whether another attempt is running or will follow. */
async function isAwaited(
  { cancellationDetails, info }: Context,
  watch: Pick<QuestionWatch, 'isRunning'>,
): Promise<boolean> {
  const { notFound, timedOut, cancelRequested } = cancellationDetails ?? {};
  if (cancelRequested || !(notFound || timedOut) || !info.workflowExecution) return false;
  // If the server cannot be asked, it is away, and will return with the question.
  return watch.isRunning(info.workflowExecution).catch(() => true);
}
