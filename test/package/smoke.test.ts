/** The packed package on the Nodes that it says it runs on, beside the one that runs the tests. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { packageRoot } from '../../stores/package-root.js';
import { type Installed, installed } from '../examples/installed.js';
import { commandLineOver } from '../support/command-line.js';

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

let place: Installed;
beforeAll(async () => {
  [place] = (await installed(1)) as [Installed];
  const question = { id: 'sky', question: 'What is the colour of the sky?', answers: ['blue'] };
  const passages = [{ title: 'Sky', text: 'The colour of the sky is blue.' }];
  await writeFile(join(place.cwd, 'q.jsonl'), `${JSON.stringify({ ...question, passages })}\n`);
});

test.each(NODES)('on Node %s it answers, with a worker of its own', async (version) => {
  const { cli } = await commandLineOver(() => ({ text: 'blue' }));
  const run = ['--method', 'base', '--dataset', 'q.jsonl', '--name', `node-${version}`, '--json'];
  const node = await nodeOf(version);
  const ended = await cli.start(['eval', ...run], {}, { ...place, node }).finished;
  expect([ended.code, ended.stderr]).toEqual([0, expect.not.stringMatching(/warning|deprecat/i)]);
  expect(JSON.parse(ended.stdout)).toMatchObject({ state: 'finished', outcomes: { answered: 1 } });
});
