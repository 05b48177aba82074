/**
 * Gets the response to a request: the stored one, or a new one that is paid for once and stored
 * before it is used.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type { EstimatedUsage } from '../../core/usage.js';
import type { Completion } from '../../llm/language-model.js';
import type { TokenEstimates } from '../../llm/rates/token-estimates.js';
import type { CacheEntry, CacheLookup, Claimant, ResponseLease } from '../../llm/response-cache.js';
import { putRequest, transportOf } from '../provider-batches/put-request.js';
import type { RenderedCall } from './model-request.js';
import { callInTurn, estimateCallLoss, givenUpSignal, type PaidCall } from './paid-call.js';
import type { Ports } from './ports.js';
import { type CallAttempt, writeUntilStored } from './provider-call.js';
import { Postponed } from './retry-policy.js';
import { limitedCompletion } from './step-output.js';

/**
 * The response to a step's request: its completion, whether it came from the cache, the duration
 * of the paid call in milliseconds, and the estimated usage of the calls that it repeats because
 * their workers died.
 */
export interface StepResponse {
  completion: Completion;
  cached: boolean;
  /** Duration of the paid call, in milliseconds; undefined if unknown. */
  ms?: number | undefined;
  /**
   * Estimated usage of the calls that it repeats, in tokens and US dollars; undefined if there are
   * none.
   */
  estimated?: EstimatedUsage | undefined;
}

/** One activity's request for one response, as the functions below pass it on. */
interface ResponseRequest extends PaidCall {
  claimant: Claimant;
}

/**
 * Returns the stored response to a step's request; if there is none, pays for one and stores it.
 *
 * @throws CompleteAsyncError if a batch will answer; Postponed if the activity must wait; Failure
 * StoreUnwritable before anything is paid, or if a paid response cannot be stored; TenantBudget;
 * BadInput if it is to go by batch and the model has no batch endpoint; failures of the provider;
 * the cancellation.
 */
export async function storedOrPaidResponse(
  rendered: RenderedCall,
  attempt: CallAttempt,
  ports: Ports,
  estimates: TokenEstimates,
): Promise<StepResponse> {
  const claimant = claimantHere(rendered);
  const givenUp = givenUpSignal(attempt, ports.watch);
  const asking: ResponseRequest = { rendered, claimant, attempt, ports, estimates, givenUp };
  const entry =
    (await storeLeftover(asking)) ??
    (await answeredByBatch(asking)) ??
    (await storedOrLease(asking));
  if (!('lease' in entry)) return responseOf(entry, claimant);
  return paidResponse(asking, entry);
}

/** Returns the running activity as a claimant of cached responses. */
function claimantHere({ call, reads }: RenderedCall): Claimant {
  const { workflowExecution, activityId } = Context.current().info;
  const { workflowId, runId } = workflowExecution ?? {};
  return {
    // The same for all attempts of the activity.
    origin: `${workflowId}/${runId}/${activityId}`,
    run: call.run ?? workflowId ?? '',
    serves: (completion) => call.cache && reads(completion),
  };
}

function responseOf(
  { completion, origin: payer, ms, estimated }: CacheEntry,
  { origin }: Claimant,
): StepResponse {
  return payer === origin
    ? { completion, cached: false, ms, estimated }
    : { completion, cached: true, ms };
}

/** Stores the response that an earlier attempt of this activity paid for and could not store. */
async function storeLeftover({
  rendered: { key },
  claimant,
  attempt,
  ports: { responses },
  givenUp,
}: ResponseRequest): Promise<CacheEntry | undefined> {
  const { unkept } = attempt.left;
  if (unkept?.key !== key) return undefined;
  const write = () => responses.store(key, unkept.entry, undefined, claimant);
  return writeUntilStored(write, () => attempt.carry({ unkept }), givenUp);
}

/**
 * Adds a call that is to be made by batch to the pool, unless its response is stored or another call
 * is paying for it.
 *
 * @returns The stored response; undefined if the call is not made by batch, or has to wait for
 * another call.
 * @throws CompleteAsyncError once the call is in the pool.
 */
async function answeredByBatch({
  rendered,
  claimant,
  ports,
  estimates,
}: ResponseRequest): Promise<CacheEntry | undefined> {
  const { call, key, request } = rendered;
  const { llm, prices, responses, tenants } = ports;
  const transport = transportOf(call);
  if (!transport) return undefined;
  const { entry, isLeased } = await responses.find(key, claimant);
  if (entry || isLeased) return entry;
  const tier = 'batch';
  const { costUsd } = estimateCallLoss(request, estimates, {
    provider: llm.provider,
    prices,
    tier,
  });
  await tenants.admit(call.tenant, costUsd);
  const { origin, run } = claimant;
  const findAgain = async () => (await responses.find(key, claimant)).entry;
  return putRequest({ ...rendered, origin, run, costUsd }, transport, ports, findAgain);
}

/** The lease to pay for a response, with the estimated cost of losing it. */
interface RightToPay {
  lease: ResponseLease;
  /** Estimated cost if this call gets no answer. */
  loss: EstimatedUsage;
  /**
   * Estimated cost of the calls that this one repeats because their workers died; undefined if
   * none.
   */
  takenOver: EstimatedUsage | undefined;
}

/**
 * Returns the stored response, or a lease to pay for it. While another call holds the lease, this
 * one waits; it takes over if the other ends without an answer or dies.
 */
async function storedOrLease({
  rendered: { key, request },
  claimant,
  attempt,
  ports: { llm, prices, responses },
  estimates,
}: ResponseRequest): Promise<CacheEntry | RightToPay> {
  const loss = estimateCallLoss(request, estimates, { provider: llm.provider, prices });
  const find = () => responses.find(key, claimant);
  for (;;) {
    let found = await find();
    if (!found.entry && found.isLeased) {
      found = await attempt.untimed((signal) => waitForRelease(find, attempt, signal));
    }
    if (found.entry) return found.entry;
    const lease = await responses.lease(key, found, claimant, { ...loss, repeated: 1 });
    if (lease) return { lease, loss, takenOver: found.loss };
  }
}

/** Pause between two lookups while another call pays for the answer. */
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 1000;

/** Longest wait of an attempt. The server gives an attempt half a minute more than its call. */
const PATIENCE_MS = 20_000;

/**
 * Polls until the response is stored or its lease is free; returns the last lookup.
 *
 * @throws Postponed if the other call takes long.
 */
async function waitForRelease(
  find: () => Promise<CacheLookup>,
  { left: { waited } }: CallAttempt,
  signal: AbortSignal,
): Promise<CacheLookup> {
  const until = Date.now() + PATIENCE_MS;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    await sleep(wait, undefined, { signal });
    const found = await find();
    if (found.entry || !found.isLeased) return found;
    if (Date.now() < until) continue;
    throw new Postponed('AwaitsAnswer', 'another call is paying for the answer', waited, 1);
  }
}

/** Asks the model when it is the call's turn, and stores its response in place of the lease. */
async function paidResponse(asking: ResponseRequest, right: RightToPay): Promise<StepResponse> {
  const { claimant, attempt } = asking;
  const { lease, takenOver } = right;
  const { answer, reconcile } = await callInTurn(asking, right.loss).catch(
    async (error: unknown) => {
      attempt.addLoss(takenOver);
      await lease.release();
      throw error;
    },
  );
  const entry: CacheEntry = {
    completion: limitedCompletion(answer.completion),
    origin: claimant.origin,
    run: claimant.run,
    at: new Date().toISOString(),
    ms: answer.ms,
    ...(takenOver && { estimated: takenOver }),
  };
  const stored = await storedInPlace(entry, lease, asking);
  await reconcile();
  const response = responseOf(stored, claimant);
  // A call that seemed dead may have stored its response after all. Then both calls were paid for:
  // the response counts as the other's, and its estimated loss as the cost of this call.
  return stored === entry ? response : { ...response, estimated: takenOver ?? response.estimated };
}

/** Stores a response in place of the lease; returns the entry that is then stored. */
async function storedInPlace(
  entry: CacheEntry,
  lease: ResponseLease,
  { rendered: { key }, claimant, attempt, ports: { responses }, givenUp }: ResponseRequest,
): Promise<CacheEntry> {
  const write = () => lease.end((expected) => responses.store(key, entry, expected, claimant));
  // If it cannot be stored, the next attempt gets it.
  const carry = () => attempt.carry({ unkept: { key, entry } });
  return writeUntilStored(write, carry, givenUp).finally(() => lease.stop());
}
