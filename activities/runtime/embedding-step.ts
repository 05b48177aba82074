/** Calls of embedding models and rerankers in activities: stored, counted and charged like others. */

import { addCall, type CallUsage, NO_USAGE, withEstimated } from '../../core/usage.js';
import type { CachedEmbeddings, EmbeddingCache } from '../../llm/embedding-cache.js';
import type { PaidCallHooks } from '../../llm/keeping.js';
import type { Paid } from '../../llm/language-model.js';
import type { StepOutput } from '../../steps/call.js';
import { outputRow } from '../../steps/output-row.js';
import type { CallBounds, EmbeddingRow } from '../../workflows/activities/calls.js';
import { estimateTextLoss, mayBeBilled } from './paid-call.js';
import type { Ports } from './ports.js';
import {
  type CallAttempt,
  providerCall,
  timed,
  type UnstoredValues,
  writeUntilStored,
} from './provider-call.js';
import { paidUsage } from './step-output.js';

/**
 * Maximum number of characters carried in a heartbeat, whose size the server limits; longer values
 * are lost if the attempt dies.
 */
const CARRIED_CHARACTERS = 500_000;

/**
 * Requests vectors or scores in an attempt of an activity, and stores them before it returns. A
 * failed write is repeated until it succeeds or the attempt is aborted, so that nothing is paid
 * for twice. The estimated cost of a failed request that may be billed is counted.
 *
 * @param cache Store of vectors or scores by key.
 * @param texts All texts to embed or score, stored ones included, from which the saved cost is
 * estimated.
 * @param ask Requests the values that are not stored. It must pass its hooks to the cache's call:
 * they check the tenant's budget before a request, store its values, and count its failure.
 * @param isStored Returns whether all values of an answer came from the store; its usage is then
 * marked as cached.
 * @returns The `answer` of `ask`, and its `usage` with that of earlier attempts of the activity.
 * @throws Failure TenantBudget if the tenant's budget of the day is spent, or if the tenant has
 * one and a cost is unknown; errors of `ask`.
 */
export async function askAndStoreInAttempt<T extends Paid>(
  cache: Pick<EmbeddingCache, 'model' | 'provider' | 'store'>,
  texts: readonly string[],
  ask: (hooks: PaidCallHooks) => Promise<T>,
  isStored: (answer: T) => boolean,
  attempt: CallAttempt,
  { prices, tenants }: Pick<Ports, 'prices' | 'tenants'>,
): Promise<{ answer: T; usage: CallUsage }> {
  const { unkeptValues: before, estimated } = attempt.left;
  const keepValues = (unkeptValues: UnstoredValues) => {
    const { values } = unkeptValues;
    const isShort = JSON.stringify(values).length <= CARRIED_CHARACTERS;
    const leave = () => (isShort ? attempt.carry({ unkeptValues }) : undefined);
    return writeUntilStored(() => cache.store(values), leave, attempt.signal);
  };
  if (before) await keepValues(before);
  const answer = await ask({
    keep: (values, paid) => keepValues({ values, paid }),
    async before(asked) {
      await tenants.admit(attempt.tenant, estimateTextLoss(asked, cache, prices).costUsd);
    },
    failed(asked, error) {
      if (mayBeBilled(error)) attempt.addLoss(estimateTextLoss(asked, cache, prices));
    },
  });
  const paid = paidUsage(answer);
  const saved = { cached: true, savedUsd: estimateTextLoss(texts, cache, prices).costUsd };
  const once = isStored(answer) ? { ...paid, ...saved } : paid;
  const usage = before ? both(paid, paidUsage(before.paid)) : once;
  return { answer, usage: withEstimated(usage, estimated) };
}

/** Returns the summed usage of a call whose parts two attempts paid for. */
function both(a: CallUsage, b: CallUsage): CallUsage {
  const { calls: _, cachedCalls: __, ...sum } = addCall(addCall(NO_USAGE, a), b);
  return { cached: false, ...sum };
}

/**
 * Returns the vectors of texts, in their order, and the usage. Vectors that are not in the store
 * are requested and stored.
 */
export async function embedAndStore(
  texts: readonly string[],
  ports: Pick<Ports, 'embeddings' | 'prices' | 'tenants'>,
  attempt: CallAttempt,
): Promise<Pick<CachedEmbeddings, 'vectors'> & { usage: CallUsage }> {
  const { answer, usage } = await askAndStoreInAttempt(
    ports.embeddings,
    texts,
    (hooks) => ports.embeddings.embed(texts, attempt.signal, hooks),
    ({ asked }) => asked === 0,
    attempt,
    ports,
  );
  return { vectors: answer.vectors, usage };
}

/**
 * A function that embeds or scores texts in an attempt of an activity, by at most one request, and
 * returns the value with its usage and model.
 */
export type EmbeddingCall<T> = (
  attempt: CallAttempt,
) => Promise<Pick<StepOutput<T>, 'model' | 'usage' | 'value'>>;

/**
 * Runs a call that embeds or scores texts as an activity with its bounds, and returns its value,
 * usage and model, and when it ran: its start in milliseconds since 1970, and its duration in
 * milliseconds. Adds the usage to the tenant's account.
 */
export async function countedEmbedding<T>(
  bounds: CallBounds,
  tenants: Ports['tenants'],
  call: EmbeddingCall<T>,
): Promise<EmbeddingRow<T>> {
  const { tenant } = bounds;
  const counted = () =>
    providerCall(bounds, async (attempt) => {
      const output = await call(attempt);
      await tenants.count(tenant, output.usage);
      return output;
    });
  const { value, ran } = await timed(() => tenants.losses(tenant, counted));
  return { ...outputRow(value), ran };
}
