/** What is optional is declared once, and where it is missing the line to type is told. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { installCommand, OPTIONAL_PARTS, type PartName } from '../../stores/optional-parts.js';
import { packageRoot } from '../../stores/package-root.js';
import { temporaryFolder } from '../support/folder.js';

const root = packageRoot();
const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const names = Object.values(OPTIONAL_PARTS).flatMap(({ packages }) => [...packages]);

it('are the optional peer dependencies, which a clone has all of', () => {
  const { peerDependencies, peerDependenciesMeta, devDependencies, dependencies } = manifest;
  expect(Object.keys(peerDependenciesMeta).sort()).toEqual([...names].sort());
  expect(names.filter((name) => !(name in peerDependencies && name in devDependencies))).toEqual(
    [],
  );
  expect(names.filter((name) => name in dependencies)).toEqual([]);
});

it('stand beside Temporal, which is the one peer that a project has to have', () => {
  const { peerDependencies, dependencies } = manifest;
  const needed = Object.keys(peerDependencies).filter(
    (name) => !(name in manifest.peerDependenciesMeta),
  );
  expect(needed.length).toBeGreaterThan(0);
  expect(needed.filter((name) => !name.startsWith('@temporalio/'))).toEqual([]);
  expect(Object.keys(dependencies).filter((name) => name.startsWith('@temporalio/'))).toEqual([]);
});

it('names versions in the line that installs one', () => {
  expect(installCommand('parquet')).toMatch(
    /^npm install hyparquet@\d+\.\d+\.\d+ hyparquet-compressors@\d+\.\d+\.\d+$/,
  );
});

/** This package in a folder whose node_modules holds what it depends on, and no optional part. */
async function installed(): Promise<string> {
  const folder = await temporaryFolder();
  await cp(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  await cp(join(root, 'package.json'), join(folder, 'package.json'));
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  const needed = Object.entries<{ dev?: boolean }>(lock.packages).filter(
    ([path, { dev }]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && !dev,
  );
  for (const [path] of needed) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await symlink(join(root, path), join(folder, path));
  }
  return folder;
}

const USES: Record<PartName, string> = {
  lancedb: `(await import('./dist/retrieval/lancedb/engine.js')).connectLanceDb('x')`,
  elasticsearch: `(await import('./dist/retrieval/open-search.js')).openSearch({corpora:'x',elasticsearch:{}})`,
  embeddings: `(await import('./dist/llm/local/minilm.js')).createLocalEmbeddingModel(async () => ({})).embed(['a'],{signal:new AbortController().signal})`,
  parquet: `(await import('./dist/files/records/parquet.js')).readParquet({refuse:(what)=>new Error(what)}).next()`,
  redis: `(await import('./dist/stores/open-store.js')).openStore('redis://127.0.0.1:1','a')`,
  traces: `(await import('./dist/workers/tracing/start-tracing.js')).startTracing({OTEL_TRACES_EXPORTER:'otlp'},()=>{})`,
};

/** Prints a value in such a folder. */
function run(folder: string, value: string) {
  const args = ['--preserve-symlinks', '--input-type=module', '-e', `console.log(${value})`];
  const env = { ...process.env, DURABLE_RAG_HOME: join(folder, 'home') };
  return promisify(execFile)(process.execPath, args, { cwd: folder, env });
}

it('tell the line to type where they are missing', async () => {
  const each = Object.entries(USES).map(
    ([name, use]) => `${name}: await (${use}).then(() => 'loaded', String),`,
  );
  const { stdout } = await run(await installed(), `JSON.stringify({ ${each.join(' ')} })`);
  const said: [string, string][] = Object.entries(JSON.parse(stdout));
  expect(said).toHaveLength(each.length);
  for (const [name, failure] of said) {
    // A reader of files tells its own kind of error, to which the file's name is added.
    expect(failure).toMatch(/^(Failure|Error): /);
    expect(failure).toContain(installCommand(name as PartName));
  }
});

it('are found where they were fetched for this machine', async () => {
  const folder = await installed();
  const { fetchedFolder } = await import('../../stores/optional-parts.js');
  const before = process.env.DURABLE_RAG_HOME;
  process.env.DURABLE_RAG_HOME = join(folder, 'home');
  const fetched = fetchedFolder('lancedb');
  if (before === undefined) delete process.env.DURABLE_RAG_HOME;
  else process.env.DURABLE_RAG_HOME = before;
  const stand = join(fetched, 'node_modules', '@lancedb', 'lancedb');
  await mkdir(stand, { recursive: true });
  await writeFile(join(stand, 'package.json'), '{"type":"module","main":"index.js"}');
  await writeFile(join(stand, 'index.js'), `export const connect = async (f) => 'opened ' + f;`);
  const { stdout } = await run(folder, `await ${USES.lancedb}`);
  expect(stdout).toBe('opened x\n');
});
