/** What a worker is made of. Everything that is left out is decided by the environment. */
import type { PayloadCodec } from '@temporalio/common';
import type { WorkerInterceptors } from '@temporalio/worker';
import type { OwnMetric } from '../core/metric.js';
import type { ModelPrice } from '../core/model-price.js';
import type { Role } from '../core/roles.js';
import type { ExtraBody, OutputForm, StepModels, StepOutputs } from '../core/step-models.js';
import type { Dataset } from '../evaluation/dataset/define-dataset.js';
import type { EmbeddingModel } from '../llm/embedding-model.js';
import type { LanguageModel } from '../llm/language-model.js';
import type { MiniLmFiles } from '../llm/local/minilm.js';
import type { Reranker } from '../llm/reranker.js';
import type { Retriever } from '../retrieval/retriever.js';
import type { ModelStep } from '../steps/define.js';
import type { KeyValueStore } from '../stores/key-value-store.js';
import type { RunStore } from '../stores/runs/run-store.js';
import type { OwnMethod } from '../workflows/define-method.js';

/** The parts that somebody brings in place of ours, or beside them. */
export interface OwnParts {
  /** The language model of all steps. @default the endpoint of OPENAI_BASE_URL */
  model?: LanguageModel | undefined;
  /** The name of the model that a question asks when it names none. @default DURABLE_RAG_MODEL */
  defaultModel?: string | undefined;
  /** As `models` of an input, for the steps that it does not name; goes before `defaultModel`. */
  models?: StepModels | undefined;
  /** As `outputs` of an input, for the steps that it does not name. */
  outputs?: OutputForm | StepOutputs | undefined;
  /**
   * Fields of your own in the body of every model call for which an input has none, such as
   * `{ enable_thinking: false }`. @default DURABLE_RAG_EXTRA_BODY
   */
  extraBody?: ExtraBody | undefined;
  /** @default DURABLE_RAG_EMBEDDING_MODEL */
  embeddings?: EmbeddingModel | undefined;
  /** A cross-encoder. @default DURABLE_RAG_RERANK_URL */
  reranker?: Reranker | undefined;
  /** Retrievers by the name of their corpus, beside the corpora of the search engine. */
  corpora?: Readonly<Record<string, Retriever>> | undefined;
  /** Opens the store of a namespace; all workers of a queue share one. @default DURABLE_RAG_STORE */
  store?: ((namespace: string) => Promise<KeyValueStore>) | undefined;
  /** Where runs are kept. @default DURABLE_RAG_RESULTS */
  results?: RunStore | undefined;
  /** Folder that holds a folder for each prompt set. @default DURABLE_RAG_PROMPTS */
  prompts?: string | undefined;
  /**
   * What payloads and the store are encrypted with, as `ID:KEY,ID:KEY`: the first key encrypts, all
   * of them decrypt. A `codec` takes the place of ours. @default DURABLE_RAG_ENCRYPTION_KEYS
   */
  encryptionKeys?: string | undefined;
  /** By model, on top of the price table and DURABLE_RAG_PRICES */
  prices?: Readonly<Record<string, ModelPrice>> | undefined;
  limits?: WorkerLimits | undefined;
  /** Methods of one's own, beside ours. The worker makes their workflows and has their steps. */
  methods?: readonly OwnMethod<unknown>[] | undefined;
  /**
   * Steps of one's own that algorithms ask with `ask`, if the modules of `methods` neither export nor
   * import them.
   */
  // biome-ignore lint/suspicious/noExplicitAny: an input is only known to the step itself
  steps?: readonly ModelStep<any, any>[] | undefined;
  /** Metrics of one's own, beside ours: every run of an evaluation has them. */
  metrics?: readonly OwnMetric[] | undefined;
  /** Data sets of one's own, beside the published ones: files and questions of inputs are read by them. */
  datasets?: readonly Dataset[] | undefined;
  /** The files of the embedding model "local"; asked for when a text is first embedded. */
  localEmbeddings?: (() => Promise<MiniLmFiles>) | undefined;
}

/**
 * How much at a time: so many calls, or as many as memory and processor have room for. `auto` fills
 * 80 % of each; the shares are of what the machine or its container has, from 0 to 1.
 */
export type Concurrency = number | 'auto' | { memory: number; cpu: number };

/** Limits of a worker, beside those of the task queue. */
export interface WorkerLimits {
  /**
   * Model calls at a time; of a worker for retrieval alone, searches; of one for questions alone,
   * what is free beside their workflows. @default DURABLE_RAG_CONCURRENCY, or 100
   */
  concurrency?: Concurrency;
  /** Of the model calls, where none was set live; null for no limit. @default DURABLE_RAG_TPM */
  tokensPerMinute?: number | null;
  /** Up to which a provider's Retry-After is followed. @default DURABLE_RAG_MAX_RETRY_AFTER, or 60 */
  maxRetryAfterSeconds?: number;
  /**
   * How long a stop waits for the model calls under way, unless the worker has a shutdownGraceTime
   * of its own. @default DURABLE_RAG_GRACE, or as long as a call may take
   */
  graceSeconds?: number;
}

/** What a worker is made of; what is left out is as the environment says. */
export interface DurableRagOptions extends OwnParts {
  /** Decides what the options leave open. @default process.env */
  env?: NodeJS.ProcessEnv;
  /**
   * A file that `bundleWorkflows` has made of the workflows of `methods` beforehand, as a path or a
   * file URL. The worker then starts without a bundler.
   */
  workflowBundle?: string | URL;
  /**
   * What the worker is for, so that parts scale apart: `questions` (workflows, and what is free beside
   * them), `models` (model calls), `retrieval` (searches). Each has a queue of its own, and needs a
   * worker; all of them need the same stores. @default DURABLE_RAG_ONLY, or all
   */
  only?: readonly Role[];
  /**
   * Questions stay with the version of the workflows that they begin with, and new ones begin with
   * the version that `durable-rag deploy promote` has made the current one. For a worker with
   * workflows of its own that it bundles itself, give the worker `workerDeploymentOptions` instead.
   * @default DURABLE_RAG_VERSIONED, or false
   */
  versioned?: boolean;
  /** What payloads are encoded with; clients need the same. */
  codec?: PayloadCodec[];
  /** Put behind those that the worker has. Their `workflowModules` are bundled with the workflows. */
  interceptors?: WorkerInterceptors;
  /** Told what a person should know but that stops nothing. @default console.warn */
  warn?(message: string): void;
}
