/**
 * The embedding interface on the `openai` package: the embeddings endpoint of any compatible
 * server.
 */
import { answerLimit } from '../bounded-fetch.js';
import type { EmbeddingModel, Embeddings } from '../embedding-model.js';
import type { Pricing } from '../prices.js';
import { type CallContext, failure } from '../provider-failure.js';
import { promptOnly } from '../read-usage.js';
import { fields, NO_TOKENS } from '../response-fields.js';
import { readAnswer, readBill } from './answer.js';
import { createEndpointClient, type EndpointOptions } from './client.js';

/** Options of an embedding model and of the connection to its endpoint. */
export interface OpenAiEmbeddingsOptions extends EndpointOptions {
  model: string;
  /** Length of the vectors; only some models can choose it. @default the model's own length */
  dimensions?: number | undefined;
}

/** Length assumed for vectors of unknown length, to limit the size of an answer. */
const MOST_DIMENSIONS = 8192;
/** Bytes of a number in JSON, with its comma. */
const NUMBER_BYTES = 32;
/** Bytes of an answer besides its vectors. */
const AROUND_BYTES = 1_000_000;

/**
 * Returns an embedding model behind an embeddings endpoint. Each `embed` is exactly one HTTP
 * request, or none if there are no texts.
 *
 * @throws Failure BadInput if the base URL cannot be read; Authentication if there is neither a key
 * nor a base URL.
 * @example
 * const model = 'text-embedding-3-small';
 * const embeddings = createOpenAiEmbeddings({ apiKey, model, timeoutMs: 60_000, prices });
 */
export function createOpenAiEmbeddings(options: OpenAiEmbeddingsOptions): EmbeddingModel {
  const { model, dimensions } = options;
  const { client, endpoint, ask } = createEndpointClient(options, 'embeddings');
  return {
    provider: endpoint.provider,
    model,
    dimensions,
    async embed(texts, signal) {
      if (texts.length === 0) return { vectors: [], usage: NO_TOKENS, costUsd: 0 };
      const numbers = texts.length * (dimensions ?? MOST_DIMENSIONS);
      const bound = answerLimit(AROUND_BYTES + numbers * NUMBER_BYTES);
      const body = {
        model,
        input: [...texts],
        // Set because the client's default, base64, is not supported by every server.
        encoding_format: 'float' as const,
        ...(dimensions === undefined ? {} : { dimensions }),
      };
      return ask(
        model,
        signal,
        (both) => client.embeddings.create(body, { signal: both, ...bound }),
        (answer, context, pricing) => readEmbeddings(answer, texts.length, context, pricing),
      );
    },
  };
}

/**
 * Returns the embeddings in an answer with status 200, in the order of the texts.
 *
 * @throws Failure MalformedResponse unless there is one vector of numbers for each text, all of the
 * same length; the failure of an error sent with status 200.
 */
function readEmbeddings(
  body: unknown,
  count: number,
  context: CallContext,
  pricing: Pricing,
): Embeddings {
  const answer = readAnswer(body, context);
  const vectors = new Map<number, number[]>();
  for (const [position, item] of (Array.isArray(answer.data) ? answer.data : []).entries()) {
    const { index, embedding } = fields(item);
    if (!isVector(embedding)) continue;
    vectors.set(typeof index === 'number' ? index : position, embedding);
  }
  const ordered = Array.from({ length: count }, (_, position) => vectors.get(position) ?? []);
  const [{ length } = []] = ordered;
  if (length === 0 || ordered.some((vector) => vector.length !== length)) {
    const reply = `It contains ${vectors.size} vectors for ${count} texts, or vectors that differ in length.`;
    throw failure('MalformedResponse', context, { reply: typeof body === 'string' ? body : reply });
  }
  const { paid } = readBill({ ...answer, usage: promptOnly(answer.usage) }, context, pricing);
  const { usage, costUsd, isStated } = paid;
  return { vectors: ordered, usage, costUsd, ...(isStated && { isStated }) };
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((one) => Number.isFinite(one));
}
