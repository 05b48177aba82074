/** Outputs of steps that embed or score texts: like those of a model step, without a prompt. */

import { addCall, type CallUsage, noUsage, withEstimated } from '../../core/usage.js';
import type { CachedEmbeddings, EmbeddingCache } from '../../llm/embedding-cache.js';
import type { Keeping } from '../../llm/keeping.js';
import type { Paid } from '../../llm/language-model.js';
import type { CallBounds, EmbeddingOutput } from '../../workflows/activities/calls.js';
import { estimateTextLoss, mayBeBilled } from './estimate-loss.js';
import type { Ports } from './ports.js';
import { type CallAttempt, keep, providerCall, timed, type UnkeptValues } from './provider-call.js';
import { paidUsage } from './step-output.js';

/**
 * Most characters carried in a heartbeat, whose size the server limits; more stays with the
 * attempt.
 */
const CARRIED_CHARACTERS = 500_000;

/**
 * Asks for vectors or scores and stores what was paid for. Writes to the store again until it
 * succeeds, so that nothing is paid for twice. If a request fails but may be billed, its estimated
 * cost is counted.
 *
 * @param cache Store of vectors or scores by key.
 * @param texts All texts that are embedded or scored.
 * @param ask Asks for the values that the store does not have. It gets `keeping`, and hands each
 * value that it paid for to `keeping.keep`.
 * @param isKept Returns whether an answer came from the store alone.
 * @returns The answer, and its usage with that of earlier attempts of the activity.
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

/** Returns the vectors of texts, in their order, and the usage of making them. */
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

/** A function that embeds or scores texts in one attempt of an activity, by at most one request. */
export type Embedding<T> = (attempt: CallAttempt) => Promise<EmbeddingOutput<T>>;

/** Runs an embedding call, counts its usage for its tenant, and returns its output and its time. */
export async function countedEmbedding<T>(
  bounds: CallBounds,
  tenants: Ports['tenants'],
  call: Embedding<T>,
): Promise<EmbeddingOutput<T>> {
  const { tenant } = bounds;
  const counted = () =>
    providerCall(bounds, async (attempt) => {
      const output = await call(attempt);
      await tenants.count(tenant, output.usage);
      return output;
    });
  const { value, ran } = await timed(() => tenants.losses(tenant, counted));
  return { ...value, ran };
}
