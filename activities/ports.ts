/** What activities need of the world; the worker builds it. */
import type { EmbeddingCache } from '../llm/embedding-cache.js';
import type { LanguageModel } from '../llm/language-model.js';
import type { RerankCache } from '../llm/rerank-cache.js';
import type { ResponseCache } from '../llm/response-cache.js';
import type { Corpora } from '../retrieval/retriever.js';
import type { PassageStore } from '../retrieval/supplied-passages.js';
import type { ContentStore } from '../stores/content-store.js';
import type { DemonstrationSets } from '../stores/demonstration-sets.js';
import type { PromptLibrary } from './prompts.js';

export interface Ports {
  llm: LanguageModel;
  responses: ResponseCache;
  /** The one model of all vectors, those of the corpora included. */
  embeddings: EmbeddingCache;
  /** The cross-encoder, where the worker has one. */
  reranker?: RerankCache | undefined;
  corpora: Corpora;
  /** Where the passages are kept that come with questions. */
  passages: PassageStore;
  /** What GenRead's clustering prepared for later questions. */
  demonstrationSets: DemonstrationSets;
  /** Where jobs keep what is too long for a history. */
  texts: ContentStore;
  prompts: PromptLibrary;
  /** The model of the steps for which the question names none. */
  defaultModel: string;
  /** Whether the server has the project's search attributes. */
  searchAttributes: boolean;
}
