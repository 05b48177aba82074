/** The packed package on the Nodes that it says it runs on, beside the one that runs the tests. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../stores/package-root.js';
import { type Installed, installedExample } from '../examples/installed.js';
import { commandLine } from '../support/command-line.js';
import { type ModelServer, startModelServer } from '../support/model-server.js';
import { promptOf } from '../support/telephone.js';

/** npm has them as packages, one a platform. */
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

test.each(NODES)('on Node %s it tells, plans and answers', async (version) => {
  const node = await nodeOf(version);
  const cli = await commandLine(server.baseUrl, { cwd: place.folder, root: place.root, node });
  onTestFinished(() => cli.remove());
  const said = async (...args: string[]) => {
    const { code, stdout, stderr } = await cli.run(args);
    expect([code, stderr]).toEqual([0, expect.not.stringMatching(/warning|deprecat/i)]);
    return stdout;
  };
  expect(await said('methods', 'sure')).toContain('## `sure`');
  const run = ['eval', '--method', 'base', '--dataset', 'q.jsonl', '--json'];
  expect(JSON.parse(await said(...run, '--dry-run'))).toMatchObject({ exact: { calls: 1 } });
  await cli.worker();
  const { code, stdout } = await cli.run([...run, '--name', `node-${version}-${Date.now()}`]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ state: 'finished', outcomes: { answered: 1 } });
});
