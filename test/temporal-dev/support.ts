/** What the tests of the local stack share: a reporter that remembers, folders, wheels, a fake pip. */
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Artifact, Source, SourceFile } from '../../temporal-dev/artifacts.js';
import type { FetchContext } from '../../temporal-dev/fetch.js';
import type { Reporter } from '../../temporal-dev/reporter.js';

/** A wheel is a zip file. */
export { zipOf } from '../../temporal-dev/zip.js';

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

/** A folder that is gone after the test. */
export async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'durable-rag-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A context whose PATH has nothing on it, so that nothing of this machine gets in. */
export async function context(
  overrides: Partial<FetchContext> = {},
): Promise<FetchContext & { reporter: ReturnType<typeof recordingReporter> }> {
  return {
    home: await scratchFolder(),
    env: { PATH: '' },
    ...overrides,
    reporter: recordingReporter(),
  };
}

/** An HTTP server on a free port for one test; gives its address. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}

export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

export function artifactOf(content: Buffer, sources: readonly Source[]): Artifact {
  return {
    ...{ name: 'thing', version: '1', part: 'Thing', title: 'Thing 1', file: 'thing.bin' },
    ...{ size: content.length, sha256: sha256(content), sources },
  };
}

export function pipOf([first, ...others]: readonly SourceFile[], folder?: string): Source {
  if (first === undefined) throw new Error('no wheels');
  return { kind: 'pip', files: [first, ...others], ...(folder !== undefined && { folder }) };
}

/** Stands where `python3 -m pip` would: it has the wheels of a folder, and checks their hashes. */
const FAKE_PYTHON = `#!NODE
const { copyFileSync, existsSync, readFileSync } = require('node:fs');
const { createHash } = require('node:crypto');
const args = process.argv.slice(2);
if (args.includes('--version')) process.exit(0);
const [requirement, pin] = readFileSync(args[args.indexOf('-r') + 1], 'utf8').trim().split(' ');
const name = requirement.replace('==', '-') + '.whl';
const trouble = process.env.PIP_FAKE_TROUBLE;
const fail = (text) => { console.error('noise\\nERROR: ' + text); process.exit(1); };
if (trouble) fail(trouble);
if (name === process.env.PIP_FAKE_HANGS_AT) setInterval(() => {}, 1000);
else {
  const from = process.env.PIP_FAKE_WHEELS + '/' + name;
  if (!existsSync(from)) fail('No matching distribution found for ' + requirement);
  const found = createHash('sha256').update(readFileSync(from)).digest('hex');
  if (!pin.endsWith(found)) fail('THESE PACKAGES DO NOT MATCH THE HASHES');
  copyFileSync(from, args[args.indexOf('-d') + 1] + '/' + name);
}
`;

/** The environment of a fake pip that has these wheels, and what to pin them with. */
export async function fakePip(wheels: Record<string, Buffer>): Promise<{
  env: NodeJS.ProcessEnv;
  folder: string;
  pin(requirement: string): Promise<SourceFile>;
}> {
  const folder = await scratchFolder();
  const bin = join(folder, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'python3'), FAKE_PYTHON.replace('NODE', process.execPath));
  await chmod(join(bin, 'python3'), 0o755);
  const fileOf = (requirement: string) => join(folder, `${requirement.replace('==', '-')}.whl`);
  for (const [requirement, wheel] of Object.entries(wheels)) {
    await writeFile(fileOf(requirement), wheel);
  }
  return {
    env: { PATH: bin, PIP_FAKE_WHEELS: folder },
    folder,
    async pin(requirement) {
      const wheel = await readFile(fileOf(requirement));
      return { from: requirement, size: wheel.length, sha256: sha256(wheel) };
    },
  };
}
