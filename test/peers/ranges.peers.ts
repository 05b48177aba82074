/** What package.json says of optional peers, at both ends of each range. */
import { execFile } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { OPTIONAL_PARTS, type PartName } from '../../stores/optional-parts.js';
import { packageRoot } from '../../stores/package-root.js';
import { temporaryFolder } from '../support/folder.js';

const run = promisify(execFile);
const root = packageRoot();
const { peerDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

/** The tests that use the packages of a part. */
const TESTS: Record<PartName, string[]> = {
  lancedb: ['build-index', 'corpora', 'dense', 'search', 'term-statistics'].map(
    (name) => `test/retrieval/${name}.test.ts`,
  ),
  elasticsearch: ['test/retrieval/elasticsearch'],
  embeddings: ['test/llm/minilm.test.ts'],
  parquet: ['test/evaluation/dataset/formats.test.ts'],
  redis: ['test/stores/server-stores.test.ts'],
  traces: ['test/workers/tracing'],
};

const optional = Object.values(OPTIONAL_PARTS).flatMap(({ packages }) => [...packages]);

/**
 * Temporal's packages have one version, the installed one. That of OpenTelemetry's API is tried in
 * beside.peers.ts, since a clone cannot have a newer one than its own SDK takes.
 */
const ranges = optional
  .filter((name) => !/^@(temporalio|opentelemetry)\//.test(name))
  .map((name) => ({ name, range: String(peerDependencies[name]) }));

function lowest(range: string): string {
  return /\d+\.\d+\.\d+/.exec(range)?.[0] ?? '';
}

/** The highest version that the registry has. */
async function highest(name: string, range: string): Promise<string> {
  const { stdout } = await run('npm', ['view', `${name}@${range}`, 'version', '--json']);
  const versions = [JSON.parse(stdout)].flat().map(String);
  const byNumbers = new Intl.Collator('en', { numeric: true });
  return versions.sort(byNumbers.compare).at(-1) ?? '';
}

/** A clone with the packages of this one, as built. */
async function clone(): Promise<string> {
  const folder = join(await temporaryFolder(), 'clone');
  await run('git', ['clone', '--quiet', root, folder]);
  for (const part of ['node_modules', 'dist']) {
    await cp(join(root, part), join(folder, part), { recursive: true, verbatimSymlinks: true });
  }
  return folder;
}

it.each([
  ['lowest', async (_: string, range: string) => lowest(range)],
  ['highest', highest],
])('passes its tests with the %s version of each', async (_, versionOf) => {
  const cwd = await clone();
  const named = ranges.map(async ({ name, range }) => `${name}@${await versionOf(name, range)}`);
  const packages = await Promise.all(named);
  console.log(packages.join('\n'));
  // What the clone needs only for its own types may not fit the other version.
  const flags = ['--force', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...flags, ...packages], { cwd });
  for (const spec of packages) {
    const at = spec.lastIndexOf('@');
    const manifest = join(cwd, 'node_modules', spec.slice(0, at), 'package.json');
    expect(JSON.parse(await readFile(manifest, 'utf8')).version, spec).toBe(spec.slice(at + 1));
  }
  const files = Object.values(TESTS).flat();
  // With CI set, a server that is missing fails a test in place of skipping it.
  const env = { ...process.env, CI: 'true' };
  const tests = run('npx', ['vitest', 'run', ...files], { cwd, env, maxBuffer: 1e8 });
  const said = await tests.then(
    () => '',
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
  );
  expect(said).toBe('');
});
