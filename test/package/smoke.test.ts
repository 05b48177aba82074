/** The packed package on each Node that it says it runs on: it starts, tells, plans, and answers. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot, packageVersion } from '../../stores/package-root.js';
import { type Installed, installedExample } from '../examples/installed.js';
import { type CommandLine, commandLine, type Running } from '../support/command-line.js';
import { type ModelServer, startModelServer } from '../support/model-server.js';
import { promptOf } from '../support/telephone.js';

/** Beside the one that runs the tests: npm has them as packages, one a platform. */
const NODES = ['22.23.3', '24.21.0'];

/** The program of a version of Node; it is fetched once. */
async function nodeOf(version: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(packageRoot(), 'node_modules', '.cache', `${name}-${version}`);
  const node = join(folder, 'node_modules', name, 'bin', 'node');
  if (existsSync(node)) return node;
  await mkdir(folder, { recursive: true });
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder];
  await promisify(execFile)('npm', [...args, `${name}@${version}`]);
  return node;
}

let server: ModelServer;
let place: Installed;
beforeAll(async () => {
  server = await startModelServer({
    reply: (request) => ({ text: promptOf(request).includes('colour of the sky') ? 'blue' : '?' }),
  });
  place = await installedExample();
  const question = { id: 'sky', question: 'What is the colour of the sky?', answers: ['blue'] };
  const passages = [{ title: 'Sky', text: 'The colour of the sky is blue.' }];
  await writeFile(join(place.folder, 'q.jsonl'), `${JSON.stringify({ ...question, passages })}\n`);
});
afterAll(async () => {
  await place.remove();
  await server.close();
});

describe.each([process.versions.node, ...NODES])('on Node %s', (version) => {
  let cli: CommandLine;
  let worker: Running | undefined;
  beforeAll(async () => {
    const node = version === process.versions.node ? process.execPath : await nodeOf(version);
    cli = await commandLine(server.baseUrl, { cwd: place.folder, root: place.root, node });
  }, 120_000);
  afterAll(async () => {
    worker?.child.kill('SIGINT');
    await worker?.finished;
    await cli.remove();
  });

  async function said(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await cli.run(args);
    expect([code, stderr]).toEqual([0, expect.not.stringMatching(/warning|deprecat/i)]);
    return stdout;
  }

  it('says its version and its methods', async () => {
    expect(await said('--version')).toBe(`${packageVersion()}\n`);
    expect(await said('methods', 'sure')).toContain('## `sure`');
  });

  it('plans a run, and answers it on a worker', async () => {
    const run = ['eval', '--method', 'base', '--dataset', 'q.jsonl', '--json'];
    expect(JSON.parse(await said(...run, '--dry-run'))).toMatchObject({ exact: { calls: 1 } });
    worker = cli.start(['worker']);
    await worker.says('polls');
    const { code, stdout } = await cli.run([...run, '--name', `node-${version}-${Date.now()}`]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ state: 'finished', outcomes: { answered: 1 } });
  }, 120_000);
});
