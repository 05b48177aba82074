/** A variable of the environment that is almost one of ours. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from '../../workers/config.js';

it.each([
  ['DURABLE_RAG_MODL', 'DURABLE_RAG_MODEL'],
  ['DURABLE_RAG_TASKQUEUE', 'DURABLE_RAG_TASK_QUEUE'],
  ['DURABLE_RAG_ENCRYPTION_KEY', 'DURABLE_RAG_ENCRYPTION_KEYS'],
  ['DURABLE_RAG_EMBEDDINGS_MODEL', 'DURABLE_RAG_EMBEDDING_MODEL'],
])('%s was meant to be %s', (name, meant) => {
  expect(() => readConfig({ [name]: 'secret-1' })).toThrow(
    `${name}: there is no such variable; did you mean ${meant}?`,
  );
  expect(() => readConfig({ [name]: 'secret-1' })).not.toThrow('secret-1');
  expect(() => readConfig({ [name]: '' })).not.toThrow();
});

it('lets be what Kubernetes sets for services called after us', () => {
  const service = {
    DURABLE_RAG_SERVICE_HOST: '10.0.0.1',
    DURABLE_RAG_SERVICE_PORT: '80',
    DURABLE_RAG_PORT: 'tcp://10.0.0.1:80',
    DURABLE_RAG_PORT_80_TCP: 'tcp://10.0.0.1:80',
    DURABLE_RAG_PORT_80_TCP_ADDR: '10.0.0.1',
    DURABLE_RAG_MODELS_PORT: 'tcp://10.0.0.1:80',
    DURABLE_RAG_WORKER_SERVICE_HOST: '10.0.0.1',
  };
  expect(() => readConfig(service)).not.toThrow();
});

it('knows every variable that the code and its documents name', () => {
  const named = new Set(
    ['activities', 'bench', 'cli', 'client', 'deploy', 'docs', 'llm', 'retrieval', 'stores']
      .concat('temporal-dev', 'workers')
      .flatMap(filesIn)
      .flatMap((file) => readFileSync(file, 'utf8').match(/\bDURABLE_RAG_[A-Z_]*[A-Z]\b/g) ?? []),
  );
  expect(named.size).toBeGreaterThan(25);
  // As some of them are meant to be numbers or addresses, only the refusal of names is looked at.
  const refusal = (name: string) => {
    try {
      readConfig({ [name]: 'x' });
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };
  const refused = [...named].filter((name) => refusal(name).includes('no such variable'));
  expect(refused).toEqual([]);
});

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|md|ya?ml|json|example)$|Dockerfile$/.test(file))
    .map((file) => join(folder, file));
}
