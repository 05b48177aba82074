/** What activities need of the world; the worker builds it. */

import type { UsualSteps } from '../../core/step-models.js';
import type { Dataset } from '../../evaluation/dataset/define-dataset.js';
import type { Snapshots } from '../../evaluation/dataset/snapshots.js';
import type { Metrics } from '../../evaluation/metrics/registry.js';
import type { BatchEndpoint } from '../../llm/batch-endpoint.js';
import type { EmbeddingCache } from '../../llm/embedding-cache.js';
import type { LanguageModel } from '../../llm/language-model.js';
import type { PriceTable } from '../../llm/prices.js';
import type { TokenLimiter } from '../../llm/rates/token-limiter.js';
import type { RerankCache } from '../../llm/rerank-cache.js';
import type { ResponseCache } from '../../llm/response-cache.js';
import type { Corpora } from '../../retrieval/retriever.js';
import type { PassageStore } from '../../retrieval/supplied-passages.js';
import type { ModelSteps } from '../../steps/define.js';
import type { ContentStore } from '../../stores/content-store.js';
import type { DemonstrationSets } from '../../stores/demonstration-sets.js';
import type { KeyValueStore } from '../../stores/key-value-store.js';
import type { RunStore } from '../../stores/runs/run-store.js';
import type { OwnMethods } from '../../workflows/define-method.js';
import type { RequestPool } from '../provider-batches/pool.js';
import type { PromptLibrary } from './prompts.js';
import type { InProcess } from './searches-itself.js';
import type { QuestionWatch, QueueLimits, QueueRates, WaitingActivities } from './server-ports.js';

export interface Batching {
  endpoint: BatchEndpoint;
  pool: RequestPool;
}

export interface Ports {
  llm: LanguageModel;
  responses: ResponseCache;
  /** Batches of the language model, where its endpoint has them. */
  batching?: Batching | undefined;
  tokens: TokenLimiter;
  queueRates: QueueRates;
  queueLimits: QueueLimits;
  /** Where all workers of the queue see that requests are limited. */
  rateMarks?: KeyValueStore | undefined;
  /**
   * Whether model calls may be on the queue of the workflows: where no limit of requests holds, and
   * the worker serves both. Never where it is left out.
   */
  mayBeEager?: (() => Promise<boolean>) | undefined;
  watch: QuestionWatch;
  waiting: WaitingActivities;
  /** The one model of all vectors, those of the corpora included. */
  embeddings: EmbeddingCache;
  /** The cross-encoder, where the worker has one. */
  reranker?: RerankCache | undefined;
  corpora: Corpora;
  /** What needs no other server; nothing where it is left out. */
  inProcess?: InProcess | undefined;
  /** What an index says of itself. @throws Failure UnknownCorpus. */
  describeCorpus(name: string): Promise<Record<string, unknown>>;
  datasets: Snapshots;
  /** Data sets of somebody's own, by which questions are read that an input brings. */
  ownDatasets?: readonly Dataset[] | undefined;
  passages: PassageStore;
  demonstrationSets: DemonstrationSets;
  runs: RunStore;
  /** Where jobs keep what is too long for a history. */
  texts: ContentStore;
  prompts: PromptLibrary;
  methods: OwnMethods;
  /** Steps that are no steps of ours, by the name of their activity. */
  steps: ModelSteps;
  /** Metrics that are no metrics of ours. */
  metrics: Metrics;
  prices: PriceTable;
  /** The model of the steps for which the question names none. */
  defaultModel: string;
  /** What the worker sets for the steps of which a question says nothing. */
  usual?: UsualSteps | undefined;
  /** Whether the server has the project's search attributes. */
  searchAttributes: boolean;
  /** Where questions search, where not beside their workflows. */
  searchQueue?: string | undefined;
}

/** Those that the Temporal server is behind: made of a worker's own connection. */
export type ServerPorts = Pick<
  Ports,
  'mayBeEager' | 'queueLimits' | 'queueRates' | 'waiting' | 'watch'
>;
