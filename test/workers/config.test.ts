/** What a worker says to a wrong environment. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { readConfig } from '../../workers/config.js';
import { runWorker } from '../../workers/run-worker.js';
import '../support/quiet-runtime.js';
import { temporaryFolder } from '../support/folder.js';

describe('readConfig', () => {
  it('takes what is set', () => {
    const env = {
      OPENAI_API_KEY: 'key',
      OPENAI_BASE_URL: 'http://127.0.0.1:8080/v1',
      DURABLE_RAG_MODEL: 'small',
      DURABLE_RAG_STORE: 'redis://there',
      DURABLE_RAG_CORPORA: '/corpora',
      DURABLE_RAG_RESULTS: '/runs',
      DURABLE_RAG_TASK_QUEUE: 'queue',
      DURABLE_RAG_ONLY: 'retrieval, models',
      DURABLE_RAG_VERSIONED: 'true',
      DURABLE_RAG_CONCURRENCY: '3',
      DURABLE_RAG_TPM: '30000',
      DURABLE_RAG_MAX_RETRY_AFTER: '1.5',
      DURABLE_RAG_REASONING_ALLOWANCE: '4000',
      DURABLE_RAG_GRACE: '30',
    };
    expect(readConfig(env)).toMatchObject({
      apiKey: 'key',
      baseUrl: 'http://127.0.0.1:8080/v1',
      defaultModel: 'small',
      storeUrl: 'redis://there',
      corpora: '/corpora',
      results: { kind: 'folder', path: '/runs' },
      taskQueue: 'queue',
      roles: ['models', 'retrieval'],
      versioned: true,
      concurrency: 3,
      tokensPerMinute: 30_000,
      maxRetryAfterMs: 1500,
      reasoningAllowance: 4000,
      graceSeconds: 30,
    });
  });

  it('keeps a deployment apart: its queue and its runs', () => {
    const env = { DURABLE_RAG_HOME: '/home/of', DURABLE_RAG_DEPLOYMENT: 'staging' };
    expect(readConfig(env)).toMatchObject({
      deployment: 'staging',
      taskQueue: 'durable-rag-staging',
      results: { kind: 'folder', path: '/home/of/staging--runs' },
    });
  });

  it('has a default for everything, and takes what is empty for not set', () => {
    const { prompts, prices, apiKey, ...config } = readConfig({
      DURABLE_RAG_HOME: '/home/of',
      DURABLE_RAG_CONCURRENCY: '',
      OPENAI_BASE_URL: '',
    });
    expect([prompts, prices, apiKey]).toEqual([undefined, undefined, undefined]);
    expect(config).toEqual({
      taskQueue: 'durable-rag',
      roles: ['questions', 'models', 'retrieval'],
      versioned: false,
      deployment: undefined,
      baseUrl: undefined,
      defaultModel: 'gpt-4o-mini',
      embedding: { kind: 'local' },
      storeUrl: '/home/of/store',
      corpora: '/home/of/corpora',
      results: { kind: 'folder', path: '/home/of/runs' },
      concurrency: 100,
      tokensPerMinute: null,
      maxRetryAfterMs: 60_000,
      graceSeconds: 3600,
      secrets: [],
    });
  });

  it('takes fields of the body from the options, else from the environment', () => {
    const env = { DURABLE_RAG_EXTRA_BODY: '{"enable_thinking":false,"provider":{"order":["a"]}}' };
    const extraBody = { enable_thinking: false, provider: { order: ['a'] } };
    expect(readConfig(env).usual).toEqual({ extraBody });
    expect(readConfig(env, { extraBody: { top_k: 1 } }).usual).toEqual({ extraBody: { top_k: 1 } });
  });

  it('knows its secrets, each key of a list', () => {
    const set = {
      OPENAI_API_KEY: 'one',
      ELASTICSEARCH_PASSWORD: 'two:2',
      HF_TOKEN: 'hf_3',
      TEMPORAL_API_KEY: 'four',
      OPENAI_BASE_URL: '',
    };
    const { secrets } = readConfig({
      ...set,
      DURABLE_RAG_ENCRYPTION_KEYS: `a:${'A'.repeat(43)}=,b:${'B'.repeat(43)}=`,
    });
    expect(secrets).toEqual(
      expect.arrayContaining([
        'one',
        'two:2',
        'hf_3',
        'four',
        `${'A'.repeat(43)}=`,
        `${'B'.repeat(43)}=`,
      ]),
    );
  });

  const there = 'http://there/v1';
  const elsewhere = 'http://elsewhere/v1';
  const key = { OPENAI_API_KEY: 'key' };
  const url = { OPENAI_BASE_URL: there };
  const ownKey = { OPENAI_EMBEDDING_API_KEY: 'own' };
  const ownUrl = { OPENAI_EMBEDDING_BASE_URL: elsewhere };
  const own = { DURABLE_RAG_EMBEDDING_MODEL: 'own', DURABLE_RAG_EMBEDDING_DIMENSIONS: '256' };
  it.each<[string, NodeJS.ProcessEnv, object]>([
    ['a key', key, { model: 'text-embedding-3-small', apiKey: 'key' }],
    ['an address', url, { baseUrl: there, apiKey: undefined }],
    ['both of their own', { ...key, ...ownKey, ...ownUrl }, { apiKey: 'own', baseUrl: elsewhere }],
    ['a key of their own', { ...url, ...ownKey }, { apiKey: 'own', baseUrl: there }],
    // Another address must not see the key.
    ['another address', { ...key, ...ownUrl }, { apiKey: undefined, baseUrl: elsewhere }],
    ['a model', own, { model: 'own', dimensions: 256, baseUrl: undefined }],
  ])('takes embeddings from an endpoint: %s', (_, env, expected) => {
    expect(readConfig(env).embedding).toMatchObject({ kind: 'endpoint', ...expected });
  });

  it('makes embeddings on this machine where that is asked for', () => {
    const env = { OPENAI_API_KEY: 'key', DURABLE_RAG_EMBEDDING_MODEL: 'local' };
    expect(readConfig(env).embedding).toEqual({ kind: 'local' });
  });

  it('takes a cross-encoder, with its URL and its model', () => {
    const env = { DURABLE_RAG_RERANK_URL: there, DURABLE_RAG_RERANK_MODEL: 'bge' };
    expect(readConfig(env).reranker).toEqual({ baseUrl: there, model: 'bge', apiKey: undefined });
    const withKey = { ...env, DURABLE_RAG_RERANK_API_KEY: 'own', OPENAI_API_KEY: 'key' };
    expect(readConfig(withKey).reranker?.apiKey).toBe('own');
    expect(readConfig({ OPENAI_API_KEY: 'key' }).reranker).toBeUndefined();
  });

  it('takes the room that there is for a number of calls', () => {
    expect(readConfig({ DURABLE_RAG_CONCURRENCY: 'auto' }).concurrency).toBe('auto');
  });
});

describe('runWorker', () => {
  const model = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' };

  async function start(env: NodeJS.ProcessEnv) {
    const home = await temporaryFolder();
    await writeFile(join(home, 'a-file'), '');
    const written = Object.entries(env).map(([name, value]) => [name, value?.replace('~', home)]);
    return runWorker({
      connect: { address: inject('temporalAddress') },
      namespace: 'default',
      env: { DURABLE_RAG_HOME: home, ...Object.fromEntries(written) },
      warn() {},
    });
  }

  it('tells of no key and no base URL before it polls', async () => {
    await expect(start({})).rejects.toThrow(/OPENAI_API_KEY, or OPENAI_BASE_URL/);
  });

  it.each([
    ['DURABLE_RAG_STORE', 'mysql://x'],
    ['DURABLE_RAG_STORE', '~/a-file'],
    ['DURABLE_RAG_STORE', 'redis://127.0.0.1:9'],
    ['DURABLE_RAG_PRICES', '~/none'],
    ['DURABLE_RAG_PRICES', '~/a-file'],
    ['DURABLE_RAG_TENANTS', '~/none'],
    ['ELASTICSEARCH_URL', 'http://127.0.0.1:9', 'Elasticsearch at http://127.0.0.1:9 cannot be'],
  ])('tells that %s is no good as %s before it polls', async (name, value, said = name) => {
    await expect(start({ ...model, [name]: value })).rejects.toThrow(said);
  });

  it('polls when all is well', async () => {
    const worker = await start({ ...model, DURABLE_RAG_TASK_QUEUE: 'test-config' });
    expect(worker.taskQueue).toBe('test-config');
    await worker.stop();
    await expect(worker.stopped).resolves.toBeUndefined();
  });
});
