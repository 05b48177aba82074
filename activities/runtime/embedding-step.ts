/** What a step that embeds texts gives back: as a step that asks a model, but without a prompt. */
import type { CachedEmbeddings, EmbeddingCache } from '../../llm/embedding-cache.js';
import type { StepOutput } from '../../steps/call.js';

export type EmbeddingOutput<O> = Pick<StepOutput<O>, 'value' | 'usage' | 'model'>;

/** The value with what the embedding of its texts took. */
export function embeddingOutput<O>(
  value: O,
  { usage, costUsd, asked }: CachedEmbeddings,
  { model }: EmbeddingCache,
): EmbeddingOutput<O> {
  return { value, usage: { cached: asked === 0, ...usage, costUsd }, model };
}
