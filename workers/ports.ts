/**
 * Entry point for custom parts: the interfaces, the error they throw, and a fetch for them. `import
 * { Failure, type LanguageModel } from 'durable-rag/ports'`; docs/ports.md explains each.
 */

export { Failure, type FailureType } from '../core/failure.js';
export type { Passage, PassageRef, SearchMode } from '../core/vocabulary.js';
export type {
  BatchAnswer,
  BatchEndpoint,
  BatchingModel,
  BatchLimits,
  BatchProblem,
  BatchStatus,
} from '../llm/batch-endpoint.js';
export { boundedFetch } from '../llm/bounded-fetch.js';
export type { EmbeddingModel, Embeddings } from '../llm/embedding-model.js';
export type {
  Completion,
  CompletionRequest,
  GenerationEnd,
  LanguageModel,
  Message,
  ServedTier,
  TokenUsage,
} from '../llm/language-model.js';
export type { Relevance, Reranker } from '../llm/reranker.js';
export type { Corpora, Retriever } from '../retrieval/retriever.js';
export type { KeyValueStore, StoredEntry } from '../stores/key-value-store.js';
export { type Lease, type Leases, leases } from '../stores/lease.js';
export type {
  Judgement,
  JudgeVerdicts,
  NoiseCounts,
  RunAnswer,
  RunManifest,
  RunQuestion,
  RunStore,
} from '../stores/runs/run-store.js';
