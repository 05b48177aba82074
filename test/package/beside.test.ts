/** That npm installs the package into applications with other versions of what it uses. */
import { beforeAll, expect, it } from 'vitest';
import { onDemand } from '../support/on-demand.js';
import { BESIDE, installedBeside } from './beside.js';

let tarball: string;
beforeAll(async () => {
  ({ tarball } = await onDemand('packed'));
});

const {
  'Elasticsearch 9.1': elasticsearch9,
  'OpenTelemetry API 1.9.0': _oldest,
  'OpenTelemetry API 1.10': _newest,
  ...others
} = BESIDE;
const resolved = (dependencies: Record<string, string>) =>
  installedBeside(dependencies, tarball, '--package-lock-only');

it.concurrent('is taken beside all of them at once, with a tracing of its own', async () => {
  const { versions } = await resolved(Object.assign({}, ...Object.values(others)));
  expect(versions).toMatchObject({
    'node_modules/@elastic/elasticsearch': expect.stringMatching(/^8\./),
    'node_modules/@keyv/redis': expect.stringMatching(/^4\./),
    'node_modules/@opentelemetry/sdk-trace-node': expect.stringMatching(/^2\./),
    'node_modules/apache-arrow': expect.stringMatching(/^21\./),
    'node_modules/durable-rag/node_modules/@opentelemetry/sdk-trace-node':
      expect.stringMatching(/^1\./),
  });
  const named = (name: string) => Object.keys(versions).filter((path) => path.endsWith(`/${name}`));
  // Two of them are two contexts, and a span of one is none for the other.
  expect(named('@opentelemetry/api')).toEqual(['node_modules/@opentelemetry/api']);
  const temporal = named('@temporalio/common');
  expect(temporal).toEqual(['node_modules/@temporalio/common']);
});

it.concurrent('is taken beside an older Elasticsearch 9', async () => {
  expect(await resolved(elasticsearch9)).toMatchObject({
    versions: { 'node_modules/@elastic/elasticsearch': expect.stringMatching(/^9\.1\./) },
  });
});

it.concurrent('is refused beside an older Temporal, which the message names', async () => {
  const older = { '@temporalio/worker': '1.23.0' };
  await expect(resolved(older)).rejects.toThrow(/@temporalio\/\w+@"\^1\.24\.0" from durable-rag/);
});
