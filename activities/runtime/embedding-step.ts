/** What a step that embeds texts gives back: as a step that asks a model, but without a prompt. */
import type { CachedEmbeddings, EmbeddingCache } from '../../llm/embedding-cache.js';
import type { Paid } from '../../llm/keeping.js';
import type { CallUsage } from '../../methods/usage.js';
import type { StepOutput } from '../../steps/call.js';
import { askKept } from './keep.js';
import type { CallSoFar } from './provider-call.js';

export type EmbeddingOutput<O> = Pick<StepOutput<O>, 'value' | 'usage' | 'model'>;

/** The vectors of texts, kept however long the store cannot be written. */
export async function embedKept(
  texts: readonly string[],
  embeddings: EmbeddingCache,
  signal: AbortSignal,
  soFar: CallSoFar,
): Promise<Pick<CachedEmbeddings, 'vectors'> & { usage: CallUsage }> {
  const { answer, paid } = await askKept(
    (keeping) => embeddings.embed(texts, signal, keeping),
    (values) => embeddings.store(values),
    soFar,
    signal,
  );
  return { vectors: answer.vectors, usage: usageOfKept(answer, answer.asked === 0, paid) };
}

/** What a call took, with what an earlier attempt has paid for it. */
export function usageOfKept(
  { usage, costUsd }: Paid,
  cached: boolean,
  paid: Paid | undefined,
): CallUsage {
  if (!paid) return { cached, ...usage, costUsd };
  return {
    cached: false,
    promptTokens: usage.promptTokens + paid.usage.promptTokens,
    cachedPromptTokens: usage.cachedPromptTokens + paid.usage.cachedPromptTokens,
    completionTokens: usage.completionTokens + paid.usage.completionTokens,
    costUsd: costUsd === null || paid.costUsd === null ? null : costUsd + paid.costUsd,
  };
}
