/** What the images run: assembled by the lines of their Dockerfiles, and started with the shipped settings. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { packageRoot } from '../../stores/package-root.js';
import { findPostgres, findRedis, startPostgres, startRedis } from '../stores/servers.js';
import { sharedElasticsearch } from '../support/elasticsearch.js';
import { temporaryFolder } from '../support/folder.js';
import { GET, isHere } from '../support/is-here.js';
import { startOtlpReceiver } from '../support/otlp-receiver.js';
import { answers } from './answers.js';

const run = promisify(execFile);
const root = packageRoot();
const text = (...path: string[]) => readFile(join(root, ...path), 'utf8');

/** The variables that the compose file and the manifests set for a worker. */
async function shippedVariables(): Promise<string[]> {
  const compose = parse(await text('deploy', 'compose.yaml'), { merge: true });
  const manifests = ['settings', 'workers'].map((name) =>
    text('deploy', 'kubernetes', `${name}.yaml`),
  );
  const documents = (await Promise.all(manifests)).flatMap((one) =>
    parseAllDocuments(one).map((document) => document.toJS()),
  );
  const secrets = (await text('deploy', 'secrets.env.example')).matchAll(/^(\w+)=/gm);
  const containers = documents.flatMap(({ spec }) => spec?.template?.spec.containers ?? []);
  return [
    ...Object.keys(compose.services.worker.environment),
    ...documents.flatMap(({ kind, data }) => (kind === 'ConfigMap' ? Object.keys(data) : [])),
    ...[...secrets].map(([, name = '']) => name),
    ...containers.flatMap(({ env = [] }) => env.map(({ name }: { name: string }) => name)),
  ];
}

/** Those that a worker here has from the test's own environment. */
const OF_THE_TEST = ['TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE', 'OPENAI_API_KEY', 'OPENAI_BASE_URL'];

const elasticsearch = await sharedElasticsearch();
const postgres = findPostgres();
const redis = findRedis();

describe('with the servers that the shipped files name', () => {
  if (elasticsearch === undefined) return;
  if (!isHere(postgres, GET.postgres) || !isHere(redis, GET.redis)) return;

  it('starts the image of deploy/Dockerfile with each setting', async () => {
    const app = join(await temporaryFolder(), 'app');
    const dockerfile = await text('deploy', 'Dockerfile');
    const [, script = ''] = /node (deploy\/\S+) \/app$/m.exec(dockerfile) ?? [];
    await run(process.execPath, [join(root, script), app], { maxBuffer: 1e8 });
    const place = { cwd: app, root: app };

    const store = await startPostgres(postgres);
    onTestFinished(() => store.remove());
    const settings = {
      ELASTICSEARCH_URL: elasticsearch,
      ELASTICSEARCH_API_KEY: '',
      DURABLE_RAG_MODEL: 'gpt-4o-mini',
      DURABLE_RAG_RESULTS: 'store',
      DURABLE_RAG_STORE: store.url,
      DURABLE_RAG_VERSIONED: 'true',
      PGPASSWORD: 'any: this server asks for none',
      TEMPORAL_API_KEY: '',
    };
    const set = [...Object.keys(settings), ...OF_THE_TEST];
    expect((await shippedVariables()).filter((name) => !set.includes(name))).toEqual([]);
    await answers(place, settings);

    const [server, receiver] = await Promise.all([startRedis(redis), startOtlpReceiver()]);
    onTestFinished(() => server.remove());
    onTestFinished(() => receiver.close());
    const others = {
      DURABLE_RAG_STORE: server.url,
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
    };
    await answers(place, { ...settings, ...others });
    expect(receiver.spans.map(({ name }) => name)).toContain('RunWorkflow:base');
  });
});
