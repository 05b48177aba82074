/** Outputs of steps that embed or score texts: like those of a model step, without a prompt. */

import { addCall, type CallUsage, noUsage, withEstimated } from '../../core/usage.js';
import type { CachedEmbeddings, EmbeddingCache } from '../../llm/embedding-cache.js';
import type { Keeping } from '../../llm/keeping.js';
import type { Paid } from '../../llm/language-model.js';
import type { CallBounds, EmbeddingOutput } from '../../workflows/activities/calls.js';
import { estimateTextLoss, mayBeBilled } from './estimate-loss.js';
import { keep, type UnkeptValues } from './keep.js';
import type { Ports } from './ports.js';
import { type CallAttempt, providerCall, timed } from './provider-call.js';
import { paidUsage } from './step-output.js';

/**
 * Most characters carried in a heartbeat, whose size the server limits; more stays with the
 * attempt.
 */
const CARRIED_CHARACTERS = 500_000;

/**
 * Asks for the values that the store lacks and stores them, however long the store cannot be
 * written. A request without an answer that may be billed is counted like one to a language model.
 *
 * @param cache Store of vectors or scores by key.
 * @param texts All texts that the answer is about.
 * @param ask Asks for the missing values and hands what it paid for to `keeping`.
 * @param isKept Whether the store had the whole answer.
 * @returns The answer, and its usage including earlier attempts of the activity.
 */
export async function askKept<T extends Paid>(
  cache: Pick<EmbeddingCache, 'model' | 'provider' | 'store'>,
  texts: readonly string[],
  ask: (keeping: Keeping) => Promise<T>,
  isKept: (answer: T) => boolean,
  attempt: CallAttempt,
  { prices, tenants }: Pick<Ports, 'prices' | 'tenants'>,
): Promise<{ answer: T; usage: CallUsage }> {
  const { unkeptValues: before, estimated } = attempt.left;
  const keepValues = (unkeptValues: UnkeptValues) => {
    const { values } = unkeptValues;
    const isShort = JSON.stringify(values).length <= CARRIED_CHARACTERS;
    const leave = () => (isShort ? attempt.carry({ unkeptValues }) : undefined);
    return keep(() => cache.store(values), leave, attempt.signal);
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
  const once = isKept(answer) ? { ...paid, ...saved } : paid;
  const usage = before ? both(paid, paidUsage(before.paid)) : once;
  return { answer, usage: withEstimated(usage, estimated) };
}

/** Returns the summed usage of a call that was paid for in two parts. */
function both(a: CallUsage, b: CallUsage): CallUsage {
  const { calls: _, cachedCalls: __, ...sum } = addCall(addCall(noUsage, a), b);
  return { cached: false, ...sum };
}

/** Returns the vectors of texts, in their order. */
export async function embedKept(
  texts: readonly string[],
  ports: Pick<Ports, 'embeddings' | 'prices' | 'tenants'>,
  attempt: CallAttempt,
): Promise<Pick<CachedEmbeddings, 'vectors'> & { usage: CallUsage }> {
  const { answer, usage } = await askKept(
    ports.embeddings,
    texts,
    (keeping) => ports.embeddings.embed(texts, attempt.signal, keeping),
    ({ asked }) => asked === 0,
    attempt,
    ports,
  );
  return { vectors: answer.vectors, usage };
}

/** A call of at most one request that embeds or scores texts. */
export type Embedding<T> = (attempt: CallAttempt) => Promise<EmbeddingOutput<T>>;

/** Runs such a call, counts what it took for its tenant, and adds when it ran. */
export async function countedEmbedding<T>(
  bounds: CallBounds,
  tenants: Ports['tenants'],
  call: Embedding<T>,
): Promise<EmbeddingOutput<T>> {
  const { tenant } = bounds;
  const counted = () =>
    providerCall(bounds, async (_, attempt) => {
      const output = await call(attempt);
      await tenants.count(tenant, output.usage);
      return output;
    });
  const { value, ran } = await timed(() => tenants.losses(tenant, counted));
  return { ...value, ran };
}
