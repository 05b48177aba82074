import { describe, expect, test } from 'vitest';
import { readConfig } from '../../workers/config.js';

const search = (env: NodeJS.ProcessEnv) => readConfig(env).elasticsearch;
const URL = 'https://es.example:9243';

describe('the engine', () => {
  test.each<[string, NodeJS.ProcessEnv, string | undefined]>([
    ['LanceDB where nothing is set', {}, undefined],
    ['Elasticsearch where its address is set', { ELASTICSEARCH_URL: URL }, URL],
    ['the one asked for', { ELASTICSEARCH_URL: URL, DURABLE_RAG_SEARCH: 'lancedb' }, undefined],
    [
      "the local stack's Elasticsearch without an address",
      { DURABLE_RAG_SEARCH: 'elasticsearch' },
      'http://127.0.0.1:9280',
    ],
    [
      'on the port that is set',
      { DURABLE_RAG_SEARCH: 'elasticsearch', DURABLE_RAG_ELASTICSEARCH_PORT: '9999' },
      'http://127.0.0.1:9999',
    ],
  ])('is %s', (_, env, url) => {
    expect(search(env)?.url).toBe(url);
  });

  test('is reached with what is set', () => {
    expect(
      search({
        ELASTICSEARCH_CLOUD_ID: 'name:abc',
        ELASTICSEARCH_USERNAME: 'me',
        ELASTICSEARCH_PASSWORD: 'pw',
        ELASTICSEARCH_CA_FINGERPRINT: 'AA:BB',
        ELASTICSEARCH_CA_FILE: '/ca.pem',
      }),
    ).toEqual({
      url: undefined,
      cloudId: 'name:abc',
      apiKey: undefined,
      username: 'me',
      password: 'pw',
      caFingerprint: 'AA:BB',
      caFile: '/ca.pem',
    });
    expect(search({ ELASTICSEARCH_URL: URL, ELASTICSEARCH_API_KEY: 'key' })?.apiKey).toBe('key');
  });

  test.each<[NodeJS.ProcessEnv, RegExp]>([
    [
      { DURABLE_RAG_SEARCH: 'solr' },
      /DURABLE_RAG_SEARCH \(--search\) must be one of lancedb, elasticsearch/,
    ],
    [{ ELASTICSEARCH_URL: 'es:9200' }, /ELASTICSEARCH_URL must be an http or https URL/],
    [
      { ELASTICSEARCH_URL: URL, ELASTICSEARCH_CLOUD_ID: 'x' },
      /ELASTICSEARCH_URL and ELASTICSEARCH_CLOUD_ID are both set/,
    ],
    [
      { ELASTICSEARCH_URL: URL, ELASTICSEARCH_API_KEY: 'x', ELASTICSEARCH_USERNAME: 'me' },
      /ELASTICSEARCH_API_KEY and ELASTICSEARCH_USERNAME are both set/,
    ],
    [{ ELASTICSEARCH_URL: URL, ELASTICSEARCH_USERNAME: 'me' }, /one is set: set both or none/],
  ])('%j is refused', (env, message) => {
    expect(() => search(env)).toThrow(message);
  });
});

test('the results are in a folder, or in the store', () => {
  const results = (value: string) => readConfig({ DURABLE_RAG_RESULTS: value }).results;
  expect(results('./store')).toEqual({ kind: 'folder', path: './store' });
  expect(results('C:\\runs')).toEqual({ kind: 'folder', path: 'C:\\runs' });
  expect(results('store')).toEqual({ kind: 'store' });
  for (const value of ['elasticsearch', 'http://127.0.0.1:9200', 'postgres://me:key@host/runs']) {
    const message = expect.stringMatching(/the word store(?!.*key)/);
    expect(() => results(value)).toThrow(expect.objectContaining({ type: 'BadInput', message }));
  }
});
