/** Puts the request of a model step into the pool, to be sent with a provider batch. */
import { CompleteAsyncError, Context } from '@temporalio/activity';
import { CALL_HEARTBEAT_SECONDS } from '../../core/call-defaults.js';
import { Failure } from '../../core/failure.js';
import { pooledHeartbeatSeconds, type QuestionTransport } from '../../core/provider-batches.js';
import type { SentCall } from '../../steps/call.js';
import type { RenderedCall } from '../runtime/model-request.js';
import type { Ports } from '../runtime/ports.js';
import { poolName, requestId, type Waiter, waiterNameOf } from './pool.js';

/** A rendered call that is to be sent with a provider batch. */
interface PooledCall
  extends Pick<RenderedCall, 'call' | 'input' | 'key' | 'prompt' | 'promptEnd' | 'request'> {
  origin: string;
  /** The run that asks, or else the workflow's id. */
  run: string;
  /** Maximum that it may cost, in US dollars; null if the price of its model is not known. */
  costUsd: number | null;
}

/**
 * Returns the batch settings of a call that is sent with a batch; undefined if it is to be sent on
 * its own, because it has no batch settings or has already waited for `patienceSeconds`.
 */
export function transportOf({ batch }: SentCall): QuestionTransport | undefined {
  if (!batch) return undefined;
  const waited = Date.now() - Context.current().info.scheduledTimestampMs;
  return waited < batch.patienceSeconds * 1000 ? batch : undefined;
}

/**
 * Puts a model call into the pool of calls that wait for a provider batch, and gives up the
 * activity's worker slot: the workflow that collects the calls completes the activity later.
 * Returns the stored response instead if one has arrived meanwhile.
 *
 * @param kept Returns the stored response to the call; undefined if there is none.
 * @throws CompleteAsyncError once the call is in the pool; Failure BadInput if the model has no
 * batch endpoint.
 */
export async function putRequest<T>(
  rendered: PooledCall,
  transport: QuestionTransport,
  { batching, llm, waiting }: Pick<Ports, 'batching' | 'llm' | 'waiting'>,
  kept: () => Promise<T | undefined>,
): Promise<T> {
  const { key, origin, run, prompt, input, call, promptEnd } = rendered;
  if (!batching) throw new Failure('BadInput', NO_BATCHES);
  const { tier: _, ...request } = rendered.request;
  const pool = poolName(llm.provider, request.model);
  const id = requestId(key, origin, call.cache ?? true);
  const span = waiting.span();
  const asking = {
    input,
    call,
    prompt,
    ...(promptEnd !== undefined && { promptEnd }),
    ...(span !== undefined && { span }),
  };
  const waiter = { ...waiterHere(origin, transport), ...asking };
  const pooled = { id, key, origin, run, request, troubles: 0, countedIn: null };
  await batching.pool.put(pool, pooled, waiter);
  const found = await kept();
  if (found !== undefined) {
    await batching.pool.waiters.drop(pool, waiterNameOf(id, waiter));
    return found;
  }
  // Up to here the death of the worker is noticed within seconds, as for any other call.
  if (!(await waiting.extendHeartbeat(waiter, waiter.heartbeatSeconds))) {
    const soon = { ...waiter, heartbeatSeconds: CALL_HEARTBEAT_SECONDS };
    await batching.pool.put(pool, pooled, soon);
  }
  const { costTo } = transport;
  if (costTo !== undefined && rendered.costUsd !== null) {
    await waiting.expect(costTo, rendered.costUsd);
  }
  await waiting.collect({ pool, model: request.model });
  throw new CompleteAsyncError();
}

/**
 * Error message for calls that are to be sent by batch although the model's endpoint has no
 * batches.
 */
export const NO_BATCHES =
  'transport: the language model of the workers has no batch endpoint; leave --transport out.';

/** Returns the running activity as a waiter. */
function waiterHere(origin: string, transport: QuestionTransport) {
  const { info } = Context.current();
  const { workflowExecution, workflowType, activityId, activityType } = info;
  const { attempt, scheduledTimestampMs } = info;
  return {
    workflowId: workflowExecution?.workflowId ?? '',
    runId: workflowExecution?.runId ?? '',
    activityId,
    origin,
    step: activityType,
    method: workflowType,
    attempt,
    since: scheduledTimestampMs,
    ...transport,
    heartbeatSeconds: pooledHeartbeatSeconds(transport),
  } satisfies Partial<Waiter>;
}
