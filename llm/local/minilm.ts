/**
 * The embedding model all-MiniLM-L6-v2 on this machine, for laptops and tests, without a server.
 */
import { readFile } from 'node:fs/promises';
import { setImmediate as breathe } from 'node:timers/promises';
import type { InferenceSession, Tensor } from 'onnxruntime-web';
import { Failure } from '../../core/failure.js';
import { withOptionalPart } from '../../stores/optional-parts.js';
import type { EmbeddingModel } from '../embedding-model.js';

/** Paths of the two files of the local embedding model: its weights and its tokenizer. */
export interface MiniLmFiles {
  /** ONNX file with 8-bit weights. */
  model: string;
  /** File tokenizer.json. */
  tokenizer: string;
}

const MODEL = 'all-MiniLM-L6-v2';
const DIMENSIONS = 384;
/**
 * Maximum number of tokens of a text; the model was trained on that many, and later ones are
 * ignored.
 */
const MOST_TOKENS = 256;
/** Maximum number of characters read, more than ever fit, so that a whole book is not tokenized. */
const MOST_CHARS = 20_000;

/**
 * Returns the embedding model all-MiniLM-L6-v2, run in WebAssembly: the same vectors of 384 numbers
 * on every platform, about 10 passages per second and core. It is loaded at the first text. Of each
 * text it reads the first 256 tokens.
 *
 * @param files Returns the paths of the files, after downloading them if need be; called again only
 * if loading failed.
 * @throws Failure BadInput at the first text if the optional packages are not installed.
 * @example
 * const embeddings = createLocalEmbeddingModel(async () => ({ model, tokenizer }));
 */
export function createLocalEmbeddingModel(files: () => Promise<MiniLmFiles>): EmbeddingModel {
  let loading: ReturnType<typeof load> | undefined;

  function loaded(): ReturnType<typeof load> {
    const attempt = loading ?? files().then(load);
    loading = attempt;
    attempt.catch(() => {
      if (loading === attempt) loading = undefined;
    });
    return attempt;
  }

  return {
    provider: 'local',
    model: MODEL,
    dimensions: DIMENSIONS,
    async embed(texts, signal) {
      const vectors: number[][] = [];
      let promptTokens = 0;
      for (const text of texts) {
        const { tokenize, run } = await loaded();
        // Each run blocks the thread; heartbeats and cancellations are processed between runs.
        await breathe();
        signal.throwIfAborted();
        const tokens = tokenize(text);
        promptTokens += tokens.length;
        vectors.push(normalizedMean(await run(tokens), DIMENSIONS));
      }
      const usage = { promptTokens, cachedPromptTokens: 0, completionTokens: 0 };
      return { vectors, usage, costUsd: 0 };
    },
  };
}

async function load({ model, tokenizer: file }: MiniLmFiles) {
  const [{ InferenceSession, Tensor }, { Tokenizer }] = await withOptionalPart('embeddings', () =>
    Promise.all([import('onnxruntime-web'), import('@huggingface/tokenizers')]),
  );
  const tokenizer = new Tokenizer(JSON.parse(await readFile(file, 'utf8')), {});
  const session = await InferenceSession.create(model);
  return {
    /** Returns the ids of a text's tokens, with the marks of its start and end. */
    tokenize(text: string): number[] {
      const { ids } = tokenizer.encode(text.slice(0, MOST_CHARS));
      return ids.length <= MOST_TOKENS ? ids : [...ids.slice(0, MOST_TOKENS - 1), ...ids.slice(-1)];
    },
    /** Returns the vectors of all tokens, in one array. */
    async run(tokens: number[]): Promise<Float32Array> {
      const row = (fill: (token: number) => number) =>
        new Tensor(
          'int64',
          BigInt64Array.from(tokens, (token) => BigInt(fill(token))),
          [1, tokens.length],
        );
      const outputs = await session.run({
        input_ids: row((token) => token),
        attention_mask: row(() => 1),
        token_type_ids: row(() => 0),
      });
      return hiddenStates(session, outputs);
    },
  };
}

/**
 * Returns the vectors of all tokens, in one array.
 *
 * @throws Failure Unexpected if the model returned no numbers.
 */
function hiddenStates(
  { outputNames: [name = ''] }: InferenceSession,
  outputs: InferenceSession.ReturnType,
): Float32Array {
  const data: Tensor['data'] | undefined = outputs[name]?.data;
  if (data instanceof Float32Array) return data;
  throw new Failure('Unexpected', `${MODEL} returned no numbers.`);
}

/**
 * Returns the mean of vectors that follow each other in one array, scaled to length 1; zeros if the
 * mean is zero.
 *
 * @param dimensions Length of each vector.
 */
export function normalizedMean(vectors: Float32Array, dimensions: number): number[] {
  // The sum has the direction of the mean.
  const sum = new Array<number>(dimensions).fill(0);
  vectors.forEach((value, k) => {
    const dimension = k % dimensions;
    sum[dimension] = (sum[dimension] ?? 0) + value;
  });
  const length = Math.hypot(...sum);
  return length === 0 ? sum : sum.map((value) => value / length);
}
