/** Stores every vector, so that no text is paid for twice. */
import { z } from 'zod';
import { canonicalJson } from '../core/canonical-json.js';
import { Failure } from '../core/failure.js';
import { checkReturned, portViolation, usageFields } from '../core/returned.js';
import { sha256Of } from '../core/sha256.js';
import type { KeyValueStore } from '../stores/key-value-store.js';
import type { EmbeddingModel, Embeddings } from './embedding-model.js';
import { askAndStore, type PaidCallHooks, storeValues, type ValuesByKey } from './keeping.js';
import type { Paid } from './language-model.js';
import { NO_TOKENS } from './response-fields.js';
import { decodeVector, encodeVector, toFloat32 } from './vectors.js';

/**
 * The vectors of texts, stored or new, with the usage and cost of the new ones and the number of
 * texts that were sent for them.
 */
export interface CachedEmbeddings extends Embeddings {
  /** Number of texts sent to the provider; 0 if all vectors were stored and nothing was paid. */
  asked: number;
}

const NOTHING = { usage: NO_TOKENS, costUsd: 0 };

/**
 * Wraps an embedding model: reads stored vectors, and asks the model only for missing ones, which
 * it stores.
 */
export class EmbeddingCache implements EmbeddingModel {
  constructor(
    private readonly asked: EmbeddingModel,
    private readonly kept: KeyValueStore,
  ) {}

  get provider(): string {
    return this.asked.provider;
  }

  get model(): string {
    return this.asked.model;
  }

  get dimensions(): number | undefined {
    return this.asked.dimensions;
  }

  /**
   * Returns the vectors of the texts. Only missing ones are asked for, each once and all in one
   * request. They are stored before this resolves.
   *
   * @param hooks Store the new vectors. Without them, the vectors are written to the store once.
   * @throws Failure StoreUnwritable like `askAndStore`.
   */
  async embed(
    texts: readonly string[],
    signal: AbortSignal,
    hooks?: PaidCallHooks,
  ): Promise<CachedEmbeddings> {
    const distinct = [...new Set(texts)];
    const kept = await Promise.all(distinct.map((text) => this.#read(this.keyOf(text))));
    const vectors = new Map(distinct.map((text, k) => [text, kept[k]]));
    const missing = distinct.filter((text) => vectors.get(text) === undefined);
    const valuesOf = (made: Embeddings) => {
      for (const [k, text] of missing.entries())
        vectors.set(text, toFloat32(made.vectors[k] ?? []));
      return Object.fromEntries(
        missing.map((text) => [this.keyOf(text), encodeVector(vectors.get(text) ?? [])]),
      );
    };
    const ask = () => this.#made(missing, signal);
    const here = { provider: this.provider, store: this.kept };
    const paid: Paid =
      missing.length === 0 ? NOTHING : await askAndStore(here, missing, ask, valuesOf, hooks);
    const { usage, costUsd, isStated } = paid;
    const found = texts.map((text) => vectors.get(text) ?? []);
    return { vectors: found, usage, costUsd, isStated, asked: missing.length };
  }

  /** Asks the model. @throws Failure Incompatible if the model violates its interface. */
  async #made(texts: readonly string[], signal: AbortSignal): Promise<Embeddings> {
    const port = 'EmbeddingModel.embed';
    const made = checkReturned(port, embeddingsSchema, await this.asked.embed(texts, signal));
    const lengths = made.vectors.map(({ length }) => length);
    const [first = 0] = lengths;
    if (lengths.length !== texts.length) {
      throw portViolation(port, `it returned ${lengths.length} vectors for ${texts.length} texts`);
    }
    const odd = made.vectors.findIndex(
      (vector, k) => lengths[k] !== first || first === 0 || !vector.every(Number.isFinite),
    );
    if (odd < 0) return made;
    throw portViolation(
      port,
      `returned.vectors.${odd} must be numbers, as many as in every other vector`,
    );
  }

  /** Stores values. @throws Errors of the store. */
  store(values: ValuesByKey): Promise<void> {
    return storeValues(this.kept, values);
  }

  /** Returns the key of a text's vector: 35 letters and digits. */
  keyOf(text: string): string {
    const { provider, model, dimensions } = this;
    const parts = canonicalJson({ provider, model, dimensions, text });
    return `e1-${sha256Of(parts, 32)}`;
  }

  /**
   * Returns stored vectors, in the order of their keys.
   *
   * @throws Failure BadInput if one is missing.
   */
  get(keys: readonly string[]): Promise<number[][]> {
    return Promise.all(keys.map(async (key) => (await this.#read(key)) ?? notKept(key)));
  }

  /** Returns the vectors of the texts if all are stored; otherwise undefined. Asks no model. */
  async find(texts: readonly string[]): Promise<number[][] | undefined> {
    const kept = await Promise.all(texts.map((text) => this.#read(this.keyOf(text))));
    const vectors = kept.filter((vector) => vector !== undefined);
    return vectors.length === texts.length ? vectors : undefined;
  }

  async #read(key: string): Promise<number[] | undefined> {
    const text = await this.kept.get(key);
    return text === undefined ? undefined : decodeVector(text);
  }
}

/**
 * Schema of an answer. The vectors are checked by hand, since they have hundreds of thousands of
 * numbers.
 */
const embeddingsSchema = z.object({
  vectors: z.array(z.custom<number[]>(Array.isArray, 'must be a list of numbers')),
  ...usageFields,
});

/** Throws the error for a missing vector. @throws Failure BadInput, always. */
function notKept(key: string): never {
  throw new Failure(
    'BadInput',
    `No vector is stored under ${key}: all workers must use the same store (DURABLE_RAG_STORE), ` +
      'and its entries must not be deleted while it is in use.',
  );
}
