/** What a step that embeds texts gives back: as a step that asks a model, but without a prompt. */

import { type CallUsage, type Estimated, withEstimated } from '../../core/usage.js';
import type { CachedEmbeddings } from '../../llm/embedding-cache.js';
import type { Paid } from '../../llm/language-model.js';
import { estimateTextLoss } from './estimate-loss.js';
import { askKept } from './keep.js';
import type { Ports } from './ports.js';
import type { CallSoFar } from './provider-call.js';

/** The vectors of texts, kept however long the store cannot be written. */
export async function embedKept(
  texts: readonly string[],
  { embeddings, prices }: Pick<Ports, 'embeddings' | 'prices'>,
  signal: AbortSignal,
  soFar: CallSoFar,
): Promise<Pick<CachedEmbeddings, 'vectors'> & { usage: CallUsage }> {
  const { answer, paid } = await askKept(
    {
      ask: (keeping) => embeddings.embed(texts, signal, keeping),
      store: (values) => embeddings.store(values),
      loss: (asked) => estimateTextLoss(asked, embeddings, prices),
    },
    soFar,
    signal,
  );
  const saved = answer.asked === 0 ? estimateTextLoss(texts, embeddings, prices) : undefined;
  const usage = usageOfKept(answer, saved, paid, soFar);
  return { vectors: answer.vectors, usage };
}

/**
 * What a call took, with what earlier attempts have paid for it, and what those may have cost that
 * gave nothing.
 *
 * @param saved Of a call that the store answered: what asking would have cost.
 */
export function usageOfKept(
  { usage, costUsd }: Paid,
  saved: Pick<Estimated, 'costUsd'> | undefined,
  paid: Paid | undefined,
  { estimated }: Pick<CallSoFar, 'estimated'>,
): CallUsage {
  if (!paid) {
    const cached = saved ? { cached: true, savedUsd: saved.costUsd } : { cached: false };
    return withEstimated({ ...cached, ...usage, costUsd }, estimated);
  }
  const both: CallUsage = {
    cached: false,
    promptTokens: usage.promptTokens + paid.usage.promptTokens,
    cachedPromptTokens: usage.cachedPromptTokens + paid.usage.cachedPromptTokens,
    completionTokens: usage.completionTokens + paid.usage.completionTokens,
    costUsd: costUsd === null || paid.costUsd === null ? null : costUsd + paid.costUsd,
  };
  return withEstimated(both, estimated);
}
