/** Options of a worker. The environment decides everything that is left out. */
import type { PayloadCodec } from '@temporalio/common';
import type { WorkerInterceptors } from '@temporalio/worker';
import type { OwnMetric } from '../core/metric.js';
import type { ModelPrice } from '../core/model-price.js';
import type { Role } from '../core/roles.js';
import type { ExtraBody, OutputForm, StepModels, StepOutputs } from '../core/step-models.js';
import type { Tenants } from '../core/tenants.js';
import type { Dataset } from '../evaluation/dataset/define-dataset.js';
import type { EmbeddingModel } from '../llm/embedding-model.js';
import type { LanguageModel } from '../llm/language-model.js';
import type { MiniLmFiles } from '../llm/local/minilm.js';
import type { Reranker } from '../llm/reranker.js';
import type { Retriever } from '../retrieval/retriever.js';
import type { OwnStep } from '../steps/actions.js';
import type { KeyValueStore } from '../stores/key-value-store.js';
import type { RunStore } from '../stores/runs/run-store.js';
import type { OwnMethod } from '../workflows/define-method.js';

/**
 * Custom parts of a worker: models, stores and the like, which replace the configured ones, and
 * corpora, data sets, methods, steps and metrics, which are added to those that there are.
 */
export interface OwnParts {
  /** The language model of all steps. @default the endpoint of OPENAI_BASE_URL */
  model?: LanguageModel | undefined;
  /** Model of questions that name none. @default DURABLE_RAG_MODEL */
  defaultModel?: string | undefined;
  /**
   * Models for steps that an input does not name, like `models` of an input; takes precedence over
   * `defaultModel`.
   */
  models?: StepModels | undefined;
  /** Output forms for steps that an input does not name, like `outputs` of an input. */
  outputs?: OutputForm | StepOutputs | undefined;
  /**
   * Custom fields in the body of every model call for which an input has none, such as `{
   * enable_thinking: false }`. @default DURABLE_RAG_EXTRA_BODY
   */
  extraBody?: ExtraBody | undefined;
  /** The embedding model of corpora and queries. @default DURABLE_RAG_EMBEDDING_MODEL */
  embeddings?: EmbeddingModel | undefined;
  /** A cross-encoder. @default DURABLE_RAG_RERANK_URL */
  reranker?: Reranker | undefined;
  /** Retrievers by the name of their corpus, in addition to the search engine's corpora. */
  corpora?: Readonly<Record<string, Retriever>> | undefined;
  /**
   * Opens the store of a namespace; all workers of a queue must share one. @default
   * DURABLE_RAG_STORE
   */
  store?: ((namespace: string) => Promise<KeyValueStore>) | undefined;
  /** Store of runs. @default DURABLE_RAG_RESULTS */
  results?: RunStore | undefined;
  /** Folder with a subfolder for each prompt set. @default DURABLE_RAG_PROMPTS */
  prompts?: string | undefined;
  /**
   * Encryption keys of payloads and the store, as `ID:KEY,ID:KEY`: the first key encrypts, all of
   * them decrypt. For payloads, a `codec` replaces them. @default DURABLE_RAG_ENCRYPTION_KEYS
   */
  encryptionKeys?: string | undefined;
  /**
   * Prices by the name of the model, which override those of the price table and of
   * DURABLE_RAG_PRICES.
   */
  prices?: Readonly<Record<string, ModelPrice>> | undefined;
  /**
   * Weight and daily budget by tenant, in addition to DURABLE_RAG_TENANTS; `*` applies to every
   * other tenant.
   * @example { acme: { weight: 2, budgetUsdPerDay: 20 }, '*': { budgetUsdPerDay: 1 } }
   */
  tenants?: Tenants | undefined;
  /** Limits of this worker. */
  limits?: WorkerLimits | undefined;
  /** Custom methods. The worker makes their workflows and runs their steps. */
  methods?: readonly OwnMethod<unknown>[] | undefined;
  /**
   * Custom steps and actions that algorithms ask with `ask`, unless the modules of `methods` export
   * or import them.
   */
  steps?: readonly OwnStep[] | undefined;
  /** Custom metrics; every evaluation run has them. */
  metrics?: readonly OwnMetric[] | undefined;
  /** Custom data sets, which read files and questions of inputs. */
  datasets?: readonly Dataset[] | undefined;
  /** Returns the files of the embedding model "local"; called when a text is first embedded. */
  localEmbeddings?: (() => Promise<MiniLmFiles>) | undefined;
}

/**
 * Limit of work in parallel: a number of calls, or the shares of memory and CPU that the worker
 * fills. Each share is a fraction above 0 and up to 1 of the machine or its container. `auto` is
 * 0.8 of both.
 */
export type Concurrency = number | 'auto' | { memory: number; cpu: number };

/**
 * Limits of one worker: its work in parallel, the model tokens per minute, the longest Retry-After
 * that it follows, and how long its stop waits.
 */
export interface WorkerLimits {
  /**
   * Maximum number of model calls in parallel; in a worker for retrieval only, searches; in one for
   * questions only, activities without a call. @default DURABLE_RAG_CONCURRENCY, or 100
   */
  concurrency?: Concurrency;
  /**
   * Limit of model tokens per minute, until another one is set at run time; null for no limit.
   * @default DURABLE_RAG_TPM
   */
  tokensPerMinute?: number | null;
  /**
   * Longest Retry-After of a provider that is followed, in seconds. @default
   * DURABLE_RAG_MAX_RETRY_AFTER, or 60
   */
  maxRetryAfterSeconds?: number;
  /**
   * Time for which a stop waits for running model calls, in seconds, unless the worker has a
   * shutdownGraceTime of its own. @default DURABLE_RAG_GRACE, or as long as a call may take
   */
  graceSeconds?: number;
}

/** Options of a worker. What they leave out is taken from environment variables. */
export interface DurableRagOptions extends OwnParts {
  /** Environment variables for options that are left out. @default process.env */
  env?: NodeJS.ProcessEnv;
  /**
   * File made by `bundleWorkflows` from the workflows of `methods`, as a path or a file URL. The
   * worker then starts without a bundler.
   */
  workflowBundle?: string | URL;
  /**
   * The worker's roles, so that parts scale separately: `questions` (workflows and free
   * activities), `models` (model calls), `retrieval` (searches). Each has a queue of its own and
   * needs a worker; all need the same stores. @default DURABLE_RAG_ONLY, or all
   */
  only?: readonly Role[];
  /**
   * Whether the worker uses Temporal's worker versioning: a question continues with the workflow
   * version that it began with, and new ones begin with the version that `durable-rag deploy promote`
   * made current. A worker that bundles its own workflows needs `workerDeploymentOptions` instead.
   * @default DURABLE_RAG_VERSIONED, or false
   */
  versioned?: boolean;
  /** Codec of payloads; clients need the same. */
  codec?: PayloadCodec[];
  /**
   * Interceptors of yours, which run inside those of durable-rag. Their `workflowModules` are
   * bundled with the workflows.
   */
  interceptors?: WorkerInterceptors;
  /** Called with warnings that a person should know. @default console.warn */
  warn?(message: string): void;
}
