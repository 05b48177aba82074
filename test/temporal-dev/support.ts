/** What the tests of the local stack share: a reporter that remembers, folders, wheels, a fake pip. */
import { createHash } from 'node:crypto';
import { chmod, mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { type Artifact, buildOf, type Source } from '../../temporal-dev/artifacts.js';
import type { FetchContext } from '../../temporal-dev/fetch.js';
import type { Reporter } from '../../temporal-dev/reporter.js';
import { freePort } from '../../temporal-dev/tcp-ports.js';
import { temporaryFolder } from '../support/folder.js';

/** A zip file, which wheels are. */
export function zipOf(members: Record<string, Buffer>): Buffer {
  return Buffer.from(zipSync(members, { level: 0 }));
}

export function recordingReporter(): Reporter & { lines: string[]; warnings: string[] } {
  const lines: string[] = [];
  const warnings: string[] = [];
  return {
    lines,
    warnings,
    part: (name, text) => void lines.push(`${name}: ${text}`),
    warn: (text) => void warnings.push(text),
    progress: () => ({ update() {}, finish() {} }),
  };
}

/** A context whose PATH has nothing on it, so that nothing of this machine gets in. */
export async function context(
  overrides: Partial<FetchContext> = {},
): Promise<FetchContext & { reporter: ReturnType<typeof recordingReporter> }> {
  return {
    home: await temporaryFolder(),
    env: { PATH: '' },
    ...overrides,
    reporter: recordingReporter(),
  };
}

export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

export function artifactOf(content: Buffer, sources: readonly Source[]): Artifact {
  return {
    name: 'thing',
    version: '1',
    part: 'Thing',
    title: 'Thing 1',
    file: 'thing.bin',
    builds: { any: [content.length, sha256(content)] },
    sources,
  };
}

/** Counts as fetched: a file with a hole. */
export async function pretend(artifact: Artifact, home: string): Promise<string> {
  const [size, hash] = buildOf(artifact);
  const folder = join(home, 'artifacts', `${artifact.name}-${artifact.version}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, artifact.file), '');
  await truncate(join(folder, artifact.file), size);
  await writeFile(join(folder, '.verified'), hash);
  return join(folder, artifact.file);
}

/** An environment by which no server can be reached: its proxy is not there. */
export async function noNetwork(): Promise<NodeJS.ProcessEnv> {
  return { PATH: '', https_proxy: `http://127.0.0.1:${await freePort()}` };
}

/** Stands where `python3 -m pip` would: it has the wheels of a folder. */
const FAKE_PYTHON = `#!NODE
const { copyFileSync, existsSync, mkdirSync } = require('node:fs');
const args = process.argv.slice(2);
if (args.includes('--version')) process.exit(0);
const requirement = args[args.indexOf('download') + 1];
const into = args[args.indexOf('-d') + 1];
const name = requirement.replace('==', '-') + '.whl';
const trouble = process.env.PIP_FAKE_TROUBLE;
const fail = (text) => { console.error('noise\\nERROR: ' + text); process.exit(1); };
if (trouble) fail(trouble);
if (name === process.env.PIP_FAKE_HANGS_AT) setInterval(() => {}, 1000);
else {
  const from = process.env.PIP_FAKE_WHEELS + '/' + name;
  if (!existsSync(from)) fail('No matching distribution found for ' + requirement);
  mkdirSync(into, { recursive: true });
  copyFileSync(from, into + '/' + name);
}
`;

/** The environment of a fake pip that has these wheels, and the folder of its wheels. */
export async function fakePip(wheels: Record<string, Buffer>): Promise<{
  env: NodeJS.ProcessEnv;
  folder: string;
}> {
  const folder = await temporaryFolder();
  const bin = join(folder, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'python3'), FAKE_PYTHON.replace('NODE', process.execPath));
  await chmod(join(bin, 'python3'), 0o755);
  const fileOf = (requirement: string) => join(folder, `${requirement.replace('==', '-')}.whl`);
  for (const [requirement, wheel] of Object.entries(wheels)) {
    await writeFile(fileOf(requirement), wheel);
  }
  return { env: { PATH: bin, PIP_FAKE_WHEELS: folder }, folder };
}
