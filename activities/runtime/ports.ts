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
import type { Ended } from '../../workflows/activities/run.js';
import type { OwnMethods } from '../../workflows/define-method.js';
import type { Asking, LimitsInForce } from '../../workflows/queue/limits.js';
import type { RequestPool } from '../provider-batches/pool.js';
import type { PromptLibrary } from './prompts.js';

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
  /** Values that no input may hold. */
  secrets?: readonly string[] | undefined;
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

/** All others: what looks at runs, plans and asks without a Temporal server. */
export type OfflinePorts = Omit<Ports, keyof ServerPorts>;

/** The rate limits that the Temporal server keeps for task queues. */
export interface QueueRates {
  /**
   * Starts a minute over all workers of a queue; null for no limit.
   *
   * @throws Failure when the server keeps no such limits, or lets us not set them.
   */
  set(queue: string, requestsPerMinute: number | null): Promise<void>;
  get(queue: string): Promise<number | null>;
}

/** The limits that runs have asked for, each until its end. */
export interface QueueLimits {
  /**
   * @param taskQueue Of the workflows.
   * @returns What is in force then.
   */
  ask(taskQueue: string, asking: Asking): Promise<LimitsInForce>;
}

export interface ActivityRef {
  workflowId: string;
  runId: string;
  activityId: string;
}

/** An activity that waits for its answer from outside, and what it has asked. */
export interface WaitingActivity extends ActivityRef {
  step: string;
  method?: string | undefined;
  call: { model: string };
  attempt: number;
  /** When it was scheduled, in milliseconds since 1970. */
  since: number;
  /** As `span` has named it. */
  span?: string | undefined;
}

export interface CollectorRef {
  pool: string;
  model: string;
}

/** Activities that gave their slot back, and are ended from outside. One that is gone is let be. */
export interface WaitingActivities {
  complete(activity: WaitingActivity, output: unknown): Promise<void>;
  /** Where it is to be retried, its next attempt begins on a worker, with the usual heartbeats. */
  fail(activity: ActivityRef, failure: Error): Promise<void>;
  /**
   * Lets it go without a heartbeat for longer than it was scheduled with, until `fail`. False where
   * the server does not change the timeouts of activities under way.
   */
  hold(activity: ActivityRef, heartbeatSeconds: number): Promise<boolean>;
  /** Says that it is not forgotten. False where it is cancelled, which is then confirmed, or gone. */
  beat(activity: ActivityRef): Promise<boolean>;
  /** Tells a run what a call that was put into a pool is expected to cost; lets be one that is gone. */
  expect(run: string, costUsd: number): Promise<void>;
  /** Names the span of the attempt under way, for `complete`; undefined without traces. */
  span(): string | undefined;
  /** Makes sure that the collector of a pool runs. */
  collect(collector: CollectorRef): Promise<void>;
}

/** Looks at questions' workflows from outside. */
export interface QuestionWatch {
  /** How each has ended; those that are still running are left out. */
  ended(workflowIds: readonly string[], signal: AbortSignal): Promise<Ended[]>;
  /** Whether this very run of a workflow is under way; without a run id, the newest. */
  isRunning(workflow: { workflowId: string; runId?: string }): Promise<boolean>;
}

/** What is in the worker's own process. */
export interface InProcess {
  /** Whether that is where a corpus is searched. */
  corpus(name: string): boolean;
  /** The passages that come with questions. */
  passages: boolean;
}
