/** The embedding port on the `openai` package: the embeddings endpoint of any compatible server. */
import { answerOfAtMost } from '../bounded-fetch.js';
import type { EmbeddingModel } from '../embedding-model.js';
import type { PriceTable } from '../prices.js';
import type { CallContext } from '../provider-failure.js';
import { withTimeout } from '../with-timeout.js';
import { classifyError } from './classify-error.js';
import { type ClientOptions, createClient } from './client.js';
import { readEmbeddings } from './read-embeddings.js';

export interface OpenAiEmbeddingsOptions extends ClientOptions {
  model: string;
  /** Asks for vectors of this length; only some models can. @default the model's own length */
  dimensions?: number | undefined;
  /** A Retry-After longer than this becomes this. @default 60000 */
  maxRetryAfterMs?: number;
  prices: PriceTable;
}

/** The length of vectors where it is not known. */
const MOST_DIMENSIONS = 8192;
/** Bytes of a number in JSON, with its comma. */
const NUMBER_BYTES = 32;
/** Bytes of the answer around the vectors. */
const AROUND_BYTES = 1_000_000;

/**
 * Returns an embedding model behind an embeddings endpoint. Each `embed` is exactly one HTTP
 * request.
 *
 * @throws Failure BadInput when the base URL cannot be read, Authentication when there is no key.
 * @example
 * const model = 'text-embedding-3-small';
 * const embeddings = createOpenAiEmbeddings({ apiKey, model, timeoutMs: 60_000, prices });
 */
export function createOpenAiEmbeddings(options: OpenAiEmbeddingsOptions): EmbeddingModel {
  const { model, dimensions, timeoutMs, prices, maxRetryAfterMs = 60_000 } = options;
  const { client, endpoint, secrets } = createClient(options, 'embeddings');
  const { provider, isLocal } = endpoint;
  return {
    provider,
    model,
    dimensions,
    async embed(texts, signal) {
      const common = { purpose: 'embeddings', model, provider, timeoutMs } as const;
      const context = (): CallContext => ({ ...common, maxRetryAfterMs, secrets, now: Date.now() });
      if (texts.length === 0) return NOTHING;
      const numbers = texts.length * (dimensions ?? MOST_DIMENSIONS);
      const bound = answerOfAtMost(AROUND_BYTES + numbers * NUMBER_BYTES);
      try {
        const answer = await withTimeout(timeoutMs, signal, (both) =>
          client.embeddings.create(
            {
              model,
              input: [...texts],
              // Set, because the client would ask for base64, which not every server has.
              encoding_format: 'float',
              ...(dimensions === undefined ? {} : { dimensions }),
            },
            { signal: both, ...bound },
          ),
        );
        return readEmbeddings(answer, texts.length, context(), { prices, isLocal });
      } catch (error) {
        // A cancel is not a failure of the provider: rethrow its reason.
        signal.throwIfAborted();
        throw classifyError(error, context());
      }
    },
  };
}

const NOTHING = {
  vectors: [],
  usage: { promptTokens: 0, cachedPromptTokens: 0, completionTokens: 0 },
  costUsd: 0,
};
