/** The services that activities use, which the worker builds and passes in. */

import type { StepDefaults } from '../../core/step-models.js';
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
import type { AnyAction } from '../../steps/actions.js';
import type { ModelSteps } from '../../steps/define.js';
import type { Confirmations } from '../../stores/confirmations.js';
import type { ContentStore } from '../../stores/content-store.js';
import type { DemonstrationSets } from '../../stores/demonstration-sets.js';
import type { KeyValueStore } from '../../stores/key-value-store.js';
import type { RunStore } from '../../stores/runs/run-store.js';
import type { Transcripts } from '../../stores/transcripts.js';
import type { EndedWorkflow } from '../../workflows/activities/run.js';
import type { OwnMethods } from '../../workflows/define-method.js';
import type { LimitRequest, LimitsInForce } from '../../workflows/queue/limits.js';
import type { RequestPool } from '../provider-batches/pool.js';
import type { PromptLibrary } from './prompts.js';
import type { TenantCalls } from './tenant-calls.js';

/**
 * The batch endpoint of the language model, and the pools of model calls that wait for its
 * batches.
 */
export interface Batching {
  endpoint: BatchEndpoint;
  pool: RequestPool;
}

/** The services and settings that activities use. */
export interface Ports {
  llm: LanguageModel;
  responses: ResponseCache;
  /** Batches of the language model; undefined if its endpoint has none. */
  batching?: Batching | undefined;
  tokens: TokenLimiter;
  tenants: TenantCalls;
  queueRates: QueueRates;
  queueLimits: QueueLimits;
  /** Store in which all workers of the queue see whether a request limit is set. */
  rateMarks?: KeyValueStore | undefined;
  /**
   * Returns whether model calls may run on the queue of the workflows: no limit of requests applies,
   * and the worker serves both queues. If undefined, they never may.
   */
  mayBeEager?: (() => Promise<boolean>) | undefined;
  watch: QuestionWatch;
  waiting: WaitingActivities;
  /** Cache of the one embedding model, which the corpora use too. */
  embeddings: EmbeddingCache;
  /** Cache of the cross-encoder; undefined if the worker has none. */
  reranker?: RerankCache | undefined;
  corpora: Corpora;
  /** Searches that run in the worker's own process; undefined if there are none. */
  inProcess?: InProcessSources | undefined;
  /** Returns the index's description of a corpus. @throws Failure UnknownCorpus. */
  describeCorpus(name: string): Promise<Record<string, unknown>>;
  datasets: Snapshots;
  /** Custom data sets, which read questions that come with an input. */
  ownDatasets?: readonly Dataset[] | undefined;
  passages: PassageStore;
  demonstrationSets: DemonstrationSets;
  runs: RunStore;
  confirmations: Confirmations;
  /** Store of texts that are too long for a workflow history. */
  texts: ContentStore;
  /** Texts that grow with each turn of a method. */
  transcripts: Transcripts;
  prompts: PromptLibrary;
  methods: OwnMethods;
  /** Custom steps, by the name of their activity. */
  steps: ModelSteps;
  /** Custom actions, by the names of their activities. */
  actions?: Readonly<Record<string, AnyAction>> | undefined;
  /** Custom metrics. */
  metrics: Metrics;
  prices: PriceTable;
  /** Model of steps for which a question names none. */
  defaultModel: string;
  /** Worker defaults for settings that a question leaves out. */
  usual?: StepDefaults | undefined;
  /** Secret values, which no input may contain. */
  secrets?: readonly string[] | undefined;
  /** Whether the server has the project's search attributes. */
  searchAttributes: boolean;
  /** Task queue of searches; undefined if they run on the queue of their workflows. */
  searchQueue?: string | undefined;
}

/** Ports that need the Temporal server; the worker builds them from its connection. */
export type ServerPorts = Pick<
  Ports,
  'mayBeEager' | 'queueLimits' | 'queueRates' | 'waiting' | 'watch'
>;

/** Ports that need no Temporal server, such as those for showing and planning runs. */
export type OfflinePorts = Omit<Ports, keyof ServerPorts>;

/**
 * Functions that set and read the rate limits that the Temporal server keeps for task queues, in
 * activity starts per minute.
 */
export interface QueueRates {
  /**
   * Sets the limit of a queue, in activity starts per minute of all its workers; null removes it.
   *
   * @throws Failure if the server keeps no such limits or refuses to set them.
   */
  set(queue: string, requestsPerMinute: number | null): Promise<void>;
  /** Returns the limit in activity starts per minute; null if there is none. */
  get(queue: string): Promise<number | null>;
}

/**
 * A function that requests rate limits for model calls on behalf of runs, each until the run's end.
 */
interface QueueLimits {
  /**
   * Asks for limits.
   *
   * @param taskQueue Queue of the workflows.
   * @returns The limits in force afterwards.
   */
  ask(taskQueue: string, asking: LimitRequest): Promise<LimitsInForce>;
}

/**
 * The ids that identify an activity at the Temporal server: those of its workflow, of the
 * workflow's run, and of the activity.
 */
export interface ActivityRef {
  workflowId: string;
  runId: string;
  activityId: string;
}

/** Headers of the W3C trace context that identify a span, such as "traceparent". */
export type SpanHeaders = Record<string, string>;

/** An activity that waits for an answer from outside, and the model call that it stands for. */
export interface WaitingActivity extends ActivityRef {
  step: string;
  method?: string | undefined;
  call: { model: string };
  attempt: number;
  /** Time when it was scheduled, in milliseconds since 1970. */
  since: number;
  /** Span of the attempt, as returned by `span`; undefined without traces. */
  span?: SpanHeaders | undefined;
}

/**
 * The name of a pool of model calls that wait for a provider batch, which one collector workflow
 * gathers and sends, and the name of the model of these calls.
 */
export interface CollectorRef {
  pool: string;
  model: string;
}

/**
 * Functions that act on activities which gave up their worker slot to wait for an answer, such as
 * to complete or fail them. Calls for an activity that no longer exists do nothing.
 */
export interface WaitingActivities {
  complete(activity: WaitingActivity, output: unknown): Promise<void>;
  /**
   * Fails the activity. If the failure is retryable, the next attempt runs on a worker with normal
   * heartbeats.
   */
  fail(activity: ActivityRef, failure: Error): Promise<void>;
  /**
   * Raises the heartbeat timeout of an activity, in seconds, until `fail`. Returns false if the
   * server cannot change the timeouts of running activities.
   */
  extendHeartbeat(activity: ActivityRef, heartbeatSeconds: number): Promise<boolean>;
  /**
   * Sends a heartbeat. Returns false if the activity no longer exists, or was cancelled; the
   * cancellation is then confirmed.
   */
  beat(activity: ActivityRef): Promise<boolean>;
  /**
   * Signals to a run the expected cost of a call that was added to a pool, in US dollars; does
   * nothing if the run has ended.
   */
  expect(run: string, costUsd: number): Promise<void>;
  /** Returns the span of the current attempt, for `complete`; undefined without traces. */
  span(): SpanHeaders | undefined;
  /** Starts the collector of a pool unless it is running. */
  collect(collector: CollectorRef): Promise<void>;
}

/**
 * Queries to the Temporal server about the workflows of questions and runs: which have ended,
 * whether one is running, and how many runs a tenant has.
 */
export interface QuestionWatch {
  /** Returns the result or failure of each workflow that has ended; running ones are left out. */
  ended(workflowIds: readonly string[], signal: AbortSignal): Promise<EndedWorkflow[]>;
  /** Returns whether this execution of a workflow is running; without a run id, its newest one. */
  isRunning(workflow: { workflowId: string; runId?: string }): Promise<boolean>;
  /** Returns the number of a tenant's evaluation runs on a task queue; some seconds out of date. */
  runsOf(tenant: string, taskQueue: string): Promise<number>;
}

/**
 * The sources of passages that are searched in the worker's own process, without a search server:
 * which corpora, and whether also the passages that come with questions.
 */
export interface InProcessSources {
  /** Returns whether a corpus is searched in this process. */
  corpus(name: string): boolean;
  /** Whether passages that come with questions are searched in this process. */
  passages: boolean;
}
