/** Stores the scores of every rerank request that was paid for, so that none is paid for twice. */
import { z } from 'zod';
import { canonicalJson, parseJson } from '../core/canonical-json.js';
import { checkReturned, portViolation, usageFields } from '../core/returned.js';
import { sha256Of } from '../core/sha256.js';
import type { KeyValueStore } from '../stores/key-value-store.js';
import { askAndStore, type PaidCallHooks, storeValues, type ValuesByKey } from './keeping.js';
import type { Relevance, Reranker } from './reranker.js';
import { NO_TOKENS } from './response-fields.js';

const kept = z.array(z.number());
const relevanceSchema = z.object({ scores: kept, ...usageFields });

/**
 * Wraps a reranker, and stores the scores of each request, that is of a query and all its
 * documents. The model is asked only if the same request is not stored.
 */
export class RerankCache implements Reranker {
  constructor(
    private readonly asked: Reranker,
    private readonly kept: KeyValueStore,
  ) {}

  get provider(): string {
    return this.asked.provider;
  }

  get model(): string {
    return this.asked.model;
  }

  /**
   * Returns the scores, which are stored before this resolves. The key includes all documents,
   * because some models compare them.
   *
   * @param hooks Store the new scores. Without them, the scores are written to the store once.
   * @returns The scores, and `cached`: whether they were stored before, so that nothing was paid.
   * @throws Failure StoreUnwritable like `askAndStore`.
   */
  async score(
    query: string,
    documents: readonly string[],
    signal: AbortSignal,
    hooks?: PaidCallHooks,
  ): Promise<Relevance & { cached: boolean }> {
    const key = this.#keyOf(query, documents);
    const before = await this.find(query, documents);
    if (before) return { scores: before, usage: NO_TOKENS, costUsd: 0, cached: true };
    const relevance = await askAndStore(
      { provider: this.provider, store: this.kept },
      [query, ...documents],
      () => this.#scored(query, documents, signal),
      ({ scores }) => ({ [key]: JSON.stringify(scores) }),
      hooks,
    );
    return { ...relevance, cached: false };
  }

  /** Returns the scores if they are stored; otherwise undefined. Asks no model. */
  async find(query: string, documents: readonly string[]): Promise<number[] | undefined> {
    // A damaged entry counts as missing.
    return kept.safeParse(parseJson(await this.kept.get(this.#keyOf(query, documents)))).data;
  }

  /** Asks the reranker. @throws Failure Incompatible if it violates its interface. */
  async #scored(
    query: string,
    documents: readonly string[],
    signal: AbortSignal,
  ): Promise<Relevance> {
    const port = 'Reranker.score';
    const scored = await this.asked.score(query, documents, signal);
    const { scores, ...paid } = checkReturned(port, relevanceSchema, scored);
    if (scores.length === documents.length) return { scores, ...paid };
    throw portViolation(
      port,
      `it returned ${scores.length} scores for ${documents.length} documents`,
    );
  }

  /** Stores values. @throws Errors of the store. */
  store(values: ValuesByKey): Promise<void> {
    return storeValues(this.kept, values);
  }

  #keyOf(query: string, documents: readonly string[]): string {
    const { provider, model } = this;
    const parts = canonicalJson({ provider, model, query, documents });
    return `r1-${sha256Of(parts)}`;
  }
}
