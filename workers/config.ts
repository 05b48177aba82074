import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../core/canonical-json.js';
import { Failure } from '../core/failure.js';
import { isObject } from '../core/is-object.js';
import { parsedBy } from '../core/options/checked.js';
import { extraBody, refuseSecrets, refuseSecretsIn } from '../core/options/extra-body.js';
import { parseStepDefaults } from '../core/options/input.js';
import { ROLES, type Role } from '../core/roles.js';
import { readSettings, type SettingName, type Settings, secretsIn } from '../core/settings.js';
import { type ExtraBody, modelFor } from '../core/step-models.js';
import { OPTIONAL_METRICS } from '../evaluation/metrics/optional-metrics.js';
import type { ElasticsearchConfig } from '../retrieval/elasticsearch/connection.js';
import { STEP_NAMES } from '../steps/table.js';
import { deploymentNamespace } from '../stores/deployment.js';
import { readKeyring } from '../stores/encryption/keyring.js';
import { homeFolder } from '../stores/home.js';
import { usualQueue } from '../workflows/queue/task-queues.js';
import type { OwnParts } from './worker-options.js';

const DEFAULT_EMBEDDING_MODEL = 'text-embedding-3-small';

/**
 * The configuration of a worker, as `readConfig` returns it: its task queue and roles, its models,
 * search engine and stores, and its limits.
 */
export type WorkerConfig = ReturnType<typeof readConfig>;

/**
 * Returns the configuration of a worker, read from environment variables; options in `own` override
 * them. Empty variables count as not set.
 *
 * @throws Failure BadInput naming the variable or option that is wrong.
 */
export function readConfig(env: NodeJS.ProcessEnv, own: OwnParts = {}) {
  const { models, outputs, limits = {}, steps = [], metrics = [] } = own;
  const data = readSettings(env);
  const known = [
    ...STEP_NAMES,
    ...[...steps, ...metrics, ...OPTIONAL_METRICS].map(({ name }) => name),
  ];
  const secrets = secretsIn(env);
  const fields = own.extraBody ?? readExtraBody(data, secrets);
  const given = { models, outputs, extraBody: fields };
  const usual = models || outputs || fields ? parseStepDefaults(given, known) : undefined;
  if (usual) refuseSecrets(usual, secrets);
  const home = homeFolder(env);
  const { DURABLE_RAG_DEPLOYMENT: deployment } = data;
  const roles: readonly Role[] = data.DURABLE_RAG_ONLY ?? ROLES;
  return {
    taskQueue: data.DURABLE_RAG_TASK_QUEUE ?? usualQueue(deployment),
    roles,
    versioned: data.DURABLE_RAG_VERSIONED,
    deployment,
    apiKey: data.OPENAI_API_KEY,
    baseUrl: data.OPENAI_BASE_URL,
    defaultModel: modelFor(
      'default',
      { models: usual?.models ?? {} },
      own.defaultModel ?? data.DURABLE_RAG_MODEL,
    ).model,
    /** Models, output forms and body fields for steps of questions that do not set their own. */
    usual,
    /** Values that no input may contain. */
    secrets,
    embedding: readEmbedding(data),
    reranker: readReranker(data),
    storeUrl: data.DURABLE_RAG_STORE ?? join(home, 'store'),
    corpora: data.DURABLE_RAG_CORPORA ?? join(home, 'corpora'),
    elasticsearch: readElasticsearch(data),
    results: readResults(data, env),
    prompts: own.prompts ?? data.DURABLE_RAG_PROMPTS,
    prices: data.DURABLE_RAG_PRICES,
    tenants: data.DURABLE_RAG_TENANTS,
    /** Keys that encrypt the store; undefined for an unencrypted one. */
    keyring: readKeyring(own.encryptionKeys ?? data.DURABLE_RAG_ENCRYPTION_KEYS),
    concurrency: limits.concurrency ?? data.DURABLE_RAG_CONCURRENCY,
    tokensPerMinute:
      limits.tokensPerMinute === undefined
        ? (data.DURABLE_RAG_TPM ?? null)
        : limits.tokensPerMinute,
    graceSeconds: limits.graceSeconds ?? data.DURABLE_RAG_GRACE,
    maxRetryAfterMs: (limits.maxRetryAfterSeconds ?? data.DURABLE_RAG_MAX_RETRY_AFTER) * 1000,
    reasoningAllowance: data.DURABLE_RAG_REASONING_ALLOWANCE,
  };
}

/**
 * Returns the custom body fields of DURABLE_RAG_EXTRA_BODY; undefined if it is not set.
 *
 * @throws Failure BadInput naming a field that is not allowed.
 */
function readExtraBody(
  { DURABLE_RAG_EXTRA_BODY: text }: Settings,
  secrets: readonly string[],
): ExtraBody | undefined {
  if (text === undefined) return undefined;
  const name = 'DURABLE_RAG_EXTRA_BODY';
  const body = parseJson(text);
  if (!isObject(body)) {
    throw new Failure(
      'BadInput',
      `${name} must be a JSON object, such as {"enable_thinking":false}.`,
    );
  }
  parsedBy(z.object({ [name]: extraBody }), { [name]: body });
  refuseSecretsIn([name], body, secrets);
  return body;
}

/**
 * Returns the settings of the embedding model: the local one if it is set or if nothing is set;
 * otherwise the configured one, or one of the chat endpoint.
 */
function readEmbedding(set: Settings) {
  const model = set.DURABLE_RAG_EMBEDDING_MODEL;
  const own = set.OPENAI_EMBEDDING_BASE_URL;
  const keys = [set.OPENAI_EMBEDDING_API_KEY, set.OPENAI_API_KEY];
  const nothing = [model, own, ...keys, set.OPENAI_BASE_URL].every((one) => one === undefined);
  if (nothing || model === 'local') return { kind: 'local' } as const;
  return {
    kind: 'endpoint' as const,
    model: model ?? DEFAULT_EMBEDDING_MODEL,
    dimensions: set.DURABLE_RAG_EMBEDDING_DIMENSIONS,
    // The key of one server must not be sent to another.
    apiKey: set.OPENAI_EMBEDDING_API_KEY ?? (own === undefined ? set.OPENAI_API_KEY : undefined),
    baseUrl: own ?? set.OPENAI_BASE_URL,
  };
}

/**
 * Returns where runs are stored: in a folder, or in the store.
 *
 * @throws Failure BadInput unless it is a folder or the word "store".
 */
function readResults(set: Settings, env: NodeJS.ProcessEnv) {
  const usual = deploymentNamespace('runs', set.DURABLE_RAG_DEPLOYMENT);
  const place = set.DURABLE_RAG_RESULTS ?? join(homeFolder(env), usual);
  if (place === 'store') return { kind: 'store' } as const;
  if (place !== 'elasticsearch' && !/^\w+:\/\//.test(place)) {
    return { kind: 'folder', path: place } as const;
  }
  throw new Failure(
    'BadInput',
    'DURABLE_RAG_RESULTS must be a folder, or the word store, which puts the runs into the store of DURABLE_RAG_STORE (a folder, redis://..., postgres://...).',
  );
}

/**
 * Returns the settings of the reranker; undefined if there is none.
 *
 * @throws Failure BadInput if only one of URL and model is set.
 */
function readReranker(set: Settings) {
  const { DURABLE_RAG_RERANK_URL: baseUrl, DURABLE_RAG_RERANK_MODEL: model } = set;
  if (baseUrl === undefined && model === undefined) return undefined;
  if (baseUrl === undefined || model === undefined) {
    const [missing, given] = baseUrl === undefined ? ['URL', 'MODEL'] : ['MODEL', 'URL'];
    throw new Failure(
      'BadInput',
      `DURABLE_RAG_RERANK_${missing} is not set, and DURABLE_RAG_RERANK_${given} is; set both for a cross-encoder.`,
    );
  }
  return { baseUrl, model, apiKey: set.DURABLE_RAG_RERANK_API_KEY };
}

/**
 * Returns the connection settings of Elasticsearch; undefined if it is not the search engine. It is
 * the search engine if DURABLE_RAG_SEARCH names it, or if its address is set and no engine is
 * named.
 *
 * @throws Failure BadInput naming variables that exclude each other.
 */
function readElasticsearch(set: Settings): ElasticsearchConfig | undefined {
  const { ELASTICSEARCH_URL: address, ELASTICSEARCH_CLOUD_ID: cloudId } = set;
  const isAddressed = address !== undefined || cloudId !== undefined;
  const engine = set.DURABLE_RAG_SEARCH ?? (isAddressed ? 'elasticsearch' : 'lancedb');
  if (engine === 'lancedb') return undefined;
  exclude(set, 'ELASTICSEARCH_URL', 'ELASTICSEARCH_CLOUD_ID');
  exclude(set, 'ELASTICSEARCH_API_KEY', 'ELASTICSEARCH_USERNAME');
  if ((set.ELASTICSEARCH_USERNAME === undefined) !== (set.ELASTICSEARCH_PASSWORD === undefined)) {
    throw new Failure(
      'BadInput',
      'Of ELASTICSEARCH_USERNAME and ELASTICSEARCH_PASSWORD one is set: set both or none.',
    );
  }
  const ofTheLocalStack = `http://127.0.0.1:${set.DURABLE_RAG_ELASTICSEARCH_PORT}`;
  return {
    url: isAddressed ? address : ofTheLocalStack,
    cloudId,
    apiKey: set.ELASTICSEARCH_API_KEY,
    username: set.ELASTICSEARCH_USERNAME,
    password: set.ELASTICSEARCH_PASSWORD,
    caFingerprint: set.ELASTICSEARCH_CA_FINGERPRINT,
    caFile: set.ELASTICSEARCH_CA_FILE,
  };
}

/** Throws if both variables are set. @throws Failure BadInput. */
function exclude(set: Settings, one: SettingName, other: SettingName) {
  if (set[one] === undefined || set[other] === undefined) return;
  throw new Failure('BadInput', `${one} and ${other} are both set: unset one of them.`);
}
