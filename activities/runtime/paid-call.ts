/**
 * Makes a paid call when its turn has come under the limit of tokens per minute, without occupying
 * the worker while it waits, and estimates the cost of a call that gets no answer.
 */
import { Context } from '@temporalio/activity';
import { tokensOf } from '../../core/estimate.js';
import { Failure } from '../../core/failure.js';
import type { PricedTier } from '../../core/model-price.js';
import { type EstimatedUsage, isImpossible } from '../../core/usage.js';
import { checkedCompletion } from '../../llm/cache-entry.js';
import type { Completion, CompletionRequest } from '../../llm/language-model.js';
import { isLocalProvider } from '../../llm/openai/endpoint.js';
import { highestPrices, type PriceTable } from '../../llm/prices.js';
import type { TokenEstimates } from '../../llm/rates/token-estimates.js';
import type { Reservation, TokenLimiter } from '../../llm/rates/token-limiter.js';
import type { StepCall } from '../../steps/call.js';
import { BATCHED, INTERACTIVE } from '../../workflows/queue/priorities.js';
import type { RenderedCall } from './model-request.js';
import type { Ports, QuestionWatch } from './ports.js';
import { type CallAttempt, cancellationOf } from './provider-call.js';
import { Postponed, type TokenWait } from './retry-policy.js';

/**
 * A model call to be paid for in one attempt of an activity: its rendered request, the attempt,
 * the worker's ports, the token estimates of its step, and the signal that gives it up.
 */
export interface PaidCall {
  rendered: RenderedCall;
  attempt: CallAttempt;
  ports: Ports;
  estimates: TokenEstimates;
  /** Fires when the response is no longer wanted, or the time of the call is used up. */
  givenUp: AbortSignal;
}

/**
 * Makes a paid call if the limit of tokens per minute allows it now. Returns as `answer` the
 * `completion` with the duration of the call in milliseconds (`ms`), and `reconcile`, a function
 * to call once the response is stored. If the call fails and may be billed, its reported or
 * estimated cost is added to the attempt.
 *
 * @param loss Estimated tokens and cost of the call if it ends without a response.
 * @throws Postponed if the call has to wait; Failure TenantBudget; failures of the provider.
 */
export function callInTurn(paid: PaidCall, loss: EstimatedUsage) {
  const { rendered, attempt, ports, estimates } = paid;
  const { waited } = attempt.left;
  return inTurn(ports.tokens, estimates, rendered.request, waited, () => complete(paid, loss));
}

/** Longest time until a reservation may start, in milliseconds: at first, and at most. */
const HORIZON_MS = 10_000;
const FARTHEST_MS = 60_000;

/**
 * Returns how far in the future a call's reservation may start, in milliseconds. It grows the more
 * often a call of a run has waited, so that no question waits for ever.
 *
 * @param isAwaited Whether a person waits for the answer.
 */
function horizonMs(isAwaited: boolean, times: number): number {
  return isAwaited ? FARTHEST_MS : Math.min(HORIZON_MS * (1 + times), FARTHEST_MS);
}

/**
 * Makes a call if the limit of tokens per minute allows it now.
 *
 * @returns The `answer` of the call, and `reconcile`, a function to call once it is stored: it
 * replaces the estimate in the limiter by the tokens used.
 * @throws Postponed if the call must wait; errors of the call.
 */
export async function inTurn<A extends { completion: Completion }>(
  tokens: TokenLimiter,
  estimates: TokenEstimates,
  request: CompletionRequest,
  waited: TokenWait,
  call: () => Promise<A>,
): Promise<{ answer: A; reconcile(): Promise<void> }> {
  const reservation = await placeFor(estimates.estimate(request), waited, tokens);
  // If reconciling fails, the estimate remains; the call must not fail because of it.
  const reconcile = (used: number) => tokens.reconcile(reservation, used).catch(() => {});
  let answer: A;
  try {
    answer = await call();
  } catch (error) {
    // Without an answer the provider may have used the tokens; a refusal has not.
    const spent = reportedLoss(error);
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

/** Reserves this many tokens. @throws Postponed if it is not the call's turn. */
async function placeFor(
  count: number,
  { times, place }: TokenWait,
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
  throw new Postponed('AwaitsTokens', why, waited, retryAfterMs);
}

/** Makes the call. If it fails, counts its estimated cost. */
async function complete(
  { rendered: { call, request }, attempt, ports: { llm, tenants }, givenUp }: PaidCall,
  loss: EstimatedUsage,
): Promise<{ completion: Completion; ms: number }> {
  try {
    await tenants.admit(call.tenant, loss.costUsd);
    const since = performance.now();
    const returned = await llm.complete(request, givenUp);
    const ms = Math.round(performance.now() - since);
    return { completion: checkedCompletion('LanguageModel.complete', returned, request), ms };
  } catch (error) {
    if (mayBeBilled(error)) attempt.addLoss(reportedLoss(error) ?? loss);
    throw isLate(error, attempt) && !mayEndInTime(request, call) ? notAgain(call) : error;
  }
}

function isLate(error: unknown, { timeout }: CallAttempt): boolean {
  return timeout.aborted || (error instanceof Failure && error.type === 'Timeout');
}

/**
 * Returns whether a request that timed out may be answered in time if it is sent again. At
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
 * Returns a signal that fires once the call has used up its time or its answer is no longer wanted:
 * the activity is cancelled, its workflow has ended, or the worker stops. It does not fire if the
 * server timed this attempt out, since the next attempt waits for the answer.
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

/** Returns whether another attempt is running or will follow. */
async function isAwaited(
  { cancellationDetails, info }: Context,
  watch: Pick<QuestionWatch, 'isRunning'>,
): Promise<boolean> {
  const { notFound, timedOut, cancelRequested } = cancellationDetails ?? {};
  if (cancelRequested || !(notFound || timedOut) || !info.workflowExecution) return false;
  // If the server cannot be asked, it is away, and will return with the question.
  return watch.isRunning(info.workflowExecution).catch(() => true);
}

interface Model {
  provider: string;
  model: string;
}

/**
 * Returns the highest usage of a model call that ends without a response: the tokens of its whole
 * prompt and of the longest answer allowed, and their cost in US dollars. The cost is null if the
 * price is unknown.
 *
 * @param tier Service tier; the usual one if left out.
 */
export function estimateCallLoss(
  request: CompletionRequest,
  estimates: TokenEstimates,
  { provider, prices, tier }: { provider: string; prices: PriceTable; tier?: PricedTier },
): EstimatedUsage {
  const { model, maxTokens } = request;
  return lossOf(estimates.prompt(request), maxTokens, { provider, model }, prices, tier);
}

/**
 * Returns the highest usage of a request that embeds or scores texts, in tokens and US dollars; it
 * has no output tokens. The cost is null if the price is unknown.
 */
export function estimateTextLoss(
  texts: readonly string[],
  model: Model,
  prices: PriceTable,
): EstimatedUsage {
  const tokens = texts.reduce((sum, text) => sum + tokensOf(text), 0);
  return lossOf(tokens, 0, model, prices);
}

function lossOf(
  promptTokens: number,
  completionTokens: number,
  { provider, model }: Model,
  prices: PriceTable,
  tier?: PricedTier,
): EstimatedUsage {
  const pricing = { prices, isLocal: isLocalProvider(provider) };
  const price = highestPrices(model, pricing, tier, promptTokens);
  const millionths = price && promptTokens * price.prompt + completionTokens * price.completion;
  const costUsd = millionths === undefined ? null : millionths / 1_000_000;
  return { attempts: 1, repeated: 0, promptTokens, completionTokens, costUsd };
}

/** Error codes of connections that were never made. */
const UNSENT: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Returns whether the provider may bill a request that failed with this error. */
export function mayBeBilled(error: unknown): boolean {
  // Any other error means that we stopped waiting.
  if (!(error instanceof Failure)) return true;
  return error.billed && !isUnsent(error);
}

/**
 * Returns the usage that a failed request reports, because the provider has answered it; undefined
 * if none.
 */
export function reportedLoss(error: unknown): EstimatedUsage | undefined {
  return error instanceof Failure ? error.spent : undefined;
}

function isUnsent(error: unknown): boolean {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if ('code' in inner && UNSENT.has(inner.code)) return true;
  }
  return false;
}
