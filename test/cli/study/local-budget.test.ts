/** The study of the docs with a budget, over an endpoint of this machine. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { blocksOf } from '../../docs/pages.js';
import { commandLineOver } from '../../support/command-line.js';
import { promptOf } from '../../support/telephone.js';

/** The models of the docs have prices, as which no model of this machine is known; asked once each. */
const STUDY = String(blocksOf('yaml').find(({ at }) => at.includes('studies.md'))?.text)
  .replaceAll('gpt-5-mini', 'm1')
  .replaceAll('gpt-5-nano', 'm2')
  .replace('repeats: 3', 'repeats: 1');

const PASSAGES = ['Bell', 'Gray', 'Reis'].map((title, i) => {
  return { id: `p${i}`, title, text: `${title} made a telephone.` };
});

async function setUp() {
  const { cli, server } = await commandLineOver((request) => ({
    text: promptOf(request).includes('telephone') ? 'Bell' : 'unknown',
  }));
  const folder = join(cli.home, 'research');
  await mkdir(folder);
  const put = (name: string, text: string) => writeFile(join(folder, name), text);
  const question = { question: 'Who made the first telephone?', answers: ['Bell'] };
  await put('wiki.jsonl', PASSAGES.map((passage) => JSON.stringify(passage)).join('\n'));
  await put('nq.jsonl', JSON.stringify({ id: 'q0', ...question }));
  await put('hotpotqa.json', JSON.stringify([{ ...question, passages: ['Bell made it.'] }]));
  await put('study.yaml', STUDY);
  await cli.ok(['index', join(folder, 'wiki.jsonl'), '--into', 'wiki']);
  return { cli, server, study: join(folder, 'study.yaml') };
}

it('is free in the dry run and in all of its runs, and ends well', async () => {
  const { cli, study } = await setUp();
  const dry = await cli.ok(['study', 'run', study, '--dry-run']);
  expect(dry.stdout).toMatch(/^sure-vs-base: 12 runs, at most \d+ calls to pay for, \$0$/m);
  // Once for each of the two models, not for each of the 12 runs.
  expect(dry.stdout.split('\n').filter((line) => line.startsWith('Free'))).toEqual([
    'Free: m1: assumed, since the endpoint is on this machine and no price is set.',
    'Free: m2: assumed, since the endpoint is on this machine and no price is set.',
  ]);
  expect(dry.stdout).not.toContain('Refused');

  await cli.worker();
  const ran = await cli.ok(['study', 'run', study]);
  expect(ran.stdout).toContain('sure-vs-base: finished, 12 of 12 runs ended, 12 questions done');
  const runs: { run: string; failed?: number }[] = await cli.json(['runs']);
  expect(runs).toHaveLength(12);
  const table = await cli.json(['study', 'table', 'sure-vs-base', '--format', 'json']);
  expect(table.rows).toHaveLength(6);
});

it('elsewhere is refused, as its dry run says once, with what to do', async () => {
  const { cli, study } = await setUp();
  const away = { OPENAI_BASE_URL: 'http://models.example/v1' };
  const { stdout } = await cli.ok(['study', 'run', study, '--dry-run'], away);
  const refusals = stdout.split('\n').filter((line) => line.startsWith('Refused'));
  // One for each of the two models, not for each of the 12 runs.
  expect(refusals).toEqual([
    expect.stringMatching(/the price of m1 is not known.*DURABLE_RAG_PRICES/),
    expect.stringMatching(/the price of m2 is not known.*DURABLE_RAG_PRICES/),
  ]);
});
