/** A variable of the environment that is almost one of ours. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { refuseVariables, unknownVariables } from '../../core/settings.js';
import { readConfig } from '../../workers/config.js';

it.each([
  ['DURABLE_RAG_MODL', 'DURABLE_RAG_MODEL'],
  ['DURABLE_RAG_TASKQUEUE', 'DURABLE_RAG_TASK_QUEUE'],
  ['DURABLE_RAG_ENCRYPTION_KEY', 'DURABLE_RAG_ENCRYPTION_KEYS'],
  ['DURABLE_RAG_EMBEDDINGS_MODEL', 'DURABLE_RAG_EMBEDDING_MODEL'],
  ['DURABLE_RAG_STROE', 'DURABLE_RAG_STORE'],
  ['DURABLE_RAG_MODLE', 'DURABLE_RAG_MODEL'],
  ['durable_rag_model', 'DURABLE_RAG_MODEL'],
  ['DURABLE_RAG_tenants', 'DURABLE_RAG_TENANTS'],
  ['Durable_Rag_Tenat', 'DURABLE_RAG_TENANTS'],
  ['temporal_address', 'TEMPORAL_ADDRESS'],
  ['TEMPORAL_ADRESS', 'TEMPORAL_ADDRESS'],
  ['TEMPORAL_NAMESPCAE', 'TEMPORAL_NAMESPACE'],
  ['TEMPORAL_TLS_CLIENT_CERT_PAHT', 'TEMPORAL_TLS_CLIENT_CERT_PATH'],
])('%s was meant to be %s', (name, meant) => {
  expect(() => readConfig({ [name]: 'secret-1' })).toThrow(
    `${name}: there is no such variable; did you mean ${meant}?`,
  );
  expect(() => readConfig({ [name]: 'secret-1' })).not.toThrow('secret-1');
  expect(() => readConfig({ [name]: '' })).not.toThrow();
});

it('lets be variables of Temporal that other programs read, and one beside that which was meant', () => {
  const others = {
    TEMPORAL_DEBUG: '1',
    TEMPORAL_UI_PORT: '8080',
    TEMPORAL_GRPC_META_TEAM: 'a',
    TEMPORAL_ADDRESS: 'temporal:7233',
    TEMPORAL_ADDRES: 'read by something else',
  };
  expect(unknownVariables(others)).toEqual([]);
});

it('lets be what Kubernetes sets for services called after us', () => {
  const service = {
    DURABLE_RAG_SERVICE_HOST: '10.0.0.1',
    DURABLE_RAG_PORT: 'tcp://10.0.0.1:80',
    DURABLE_RAG_PORT_80_TCP: 'tcp://10.0.0.1:80',
    DURABLE_RAG_PORT_80_TCP_ADDR: '10.0.0.1',
    DURABLE_RAG_MODELS_PORT: 'tcp://10.0.0.1:80',
    DURABLE_RAG_PORT_80_TCP_PORT: '80',
    DURABLE_RAG_PORT_80_TCP_PROTO: 'tcp',
    DURABLE_RAG_SERVICE_PORT: '80',
    DURABLE_RAG_SERVICE_PORT_HTTP: '80',
    DURABLE_RAG_WORKER_SERVICE_HOST: '10.0.0.1',
    DURABLE_RAG_STATSD_PORT: 'udp://10.0.0.1:8125',
    DURABLE_RAG_STATSD_PORT_8125_UDP: 'udp://10.0.0.1:8125',
  };
  expect(() => readConfig(service)).not.toThrow();
  expect(unknownVariables(service)).toEqual([]);
});

it('names every other variable with our prefix, without what it holds', () => {
  const env = { DURABLE_RAG_FOO: 'secret-1', DURABLE_RAG_: 'x', DURABLE_RAG_MODEL: 'm' };
  const unknown = unknownVariables(env);
  expect(unknown.map(({ name }) => name)).toEqual(['DURABLE_RAG_FOO', 'DURABLE_RAG_']);
  expect(() => refuseVariables(unknown)).toThrow(
    'DURABLE_RAG_FOO: there is no such variable; unset it',
  );
  expect(() => refuseVariables(unknown)).not.toThrow('secret-1');
  // A program of somebody's own may read it.
  expect(() => readConfig(env)).not.toThrow();
});

it('knows every variable that the code and its documents name', () => {
  const named = new Set(
    ['activities', 'bench', 'cli', 'client', 'deploy', 'docs', 'llm', 'retrieval', 'stores']
      .concat('temporal-dev', 'workers')
      .flatMap(filesIn)
      .flatMap((file) => readFileSync(file, 'utf8').match(/\bDURABLE_RAG_[A-Z_]*[A-Z]\b/g) ?? []),
  );
  expect(named.size).toBeGreaterThan(25);
  expect(unknownVariables(Object.fromEntries([...named].map((name) => [name, 'x'])))).toEqual([]);
});

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|md|ya?ml|json|example)$|Dockerfile$/.test(file))
    .map((file) => join(folder, file));
}
