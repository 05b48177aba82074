/** The commands of README.md and docs/start.md in an empty folder, where the package was installed. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pages } from '../docs/pages.js';
import { type Installed, installed } from '../examples/installed.js';
import { commandLineOver } from '../support/command-line.js';
import { promptOf } from '../support/telephone.js';

/** Those that ask, compare and report; the others set up what a test has, or go on without an end. */
const COMMANDS = pages
  .filter(({ path }) => ['README.md', 'docs/start.md'].includes(path))
  .flatMap(({ blocks }) => blocks.filter(({ language }) => language === 'sh'))
  .flatMap(({ text }) => text.split(/\n|&&/))
  .map((line) => /^\s*npx durable-rag ((?:eval|compare|report) .*?)\s*$/.exec(line)?.[1])
  .filter((line) => line !== undefined);

it('work in their order, without a clone', async () => {
  const [place] = (await installed(1)) as [Installed];
  const { cli } = await commandLineOver((request) => ({
    text: /different answers/.test(promptOf(request)) ? '(a) Mauna Kea, (b) Everest' : 'Mauna Kea',
  }));
  const worker = cli.start(['worker'], {}, place);
  await worker.says('polls');
  const unlike = [...new Set(COMMANDS)];
  expect(unlike.length).toBeGreaterThan(4);
  for (const line of unlike) {
    const { code, stderr } = await cli.start(line.split(' '), {}, place).finished;
    expect([line, code, stderr]).toEqual([line, 0, expect.any(String)]);
  }
  expect(await readFile(join(place.cwd, 'report.html'), 'utf8')).toContain('Mauna Kea');
  expect(await worker.end('SIGTERM')).toBe(0);
});

it('plan questions with passages of their own without a search engine', async () => {
  const [place] = (await installed(1)) as [Installed];
  await rm(join(place.cwd, 'node_modules', '@lancedb'));
  const question = { id: 'sky', question: 'What colour is the sky?', answers: ['blue'] };
  const passages = [{ title: 'Sky', text: 'The sky is blue.' }];
  await writeFile(join(place.cwd, 'own.jsonl'), JSON.stringify({ ...question, passages }));
  const { cli } = await commandLineOver(() => ({ text: 'blue' }));
  const plan = (...flags: string[]) =>
    cli.start(['eval', '--method', 'sure', '--dry-run', '--dataset', ...flags], {}, place).finished;
  expect(await plan('own.jsonl')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 with passages of their own'),
  });
  expect(await plan('sample', '--corpus', 'sample')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/search engine is not installed: npm install @lancedb\/lancedb/),
  });
});
