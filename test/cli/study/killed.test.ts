/** A study with a budget whose worker and command are killed at random times. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { seededRandom } from '../../../core/sampler.js';
import { numberFiles, rightWithPassage } from '../../support/number-files.js';

const STUDY = (name: string, file: string) =>
  [
    `name: ${name}`,
    'methods: [{ base: { passages: 0 }, as: closed }, { base: { passages: 1 }, as: open }]',
    `datasets: [${file}]`,
    'models: [some-model]',
    'repeats: 2',
    'baseline: closed',
    'budgetUsd: 100',
    'concurrency: 4',
    '',
  ].join('\n');

const KILLS = 6;

/** A study of 120 answers, and what its table says at the end. */
async function setUp(name: string) {
  const { cli, server } = await numberFiles(30, rightWithPassage);
  const file = join(cli.home, 'study.yaml');
  await writeFile(file, STUDY(name, join(cli.home, 'numbers.jsonl')));
  const prices = join(cli.home, 'prices.json');
  await writeFile(prices, JSON.stringify({ 'some-model': { prompt: 1, completion: 1 } }));
  const env = { DURABLE_RAG_PRICES: prices };
  const table = async () => (await cli.ok(['study', 'table', name, '--format', 'csv'], env)).stdout;
  // As a process: a command that starts a worker of its own has the code of the others.
  async function run(): Promise<{ state: string }> {
    const { code, stdout, stderr } = await cli.start(['study', 'run', file, '--json'], env)
      .finished;
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout);
  }
  return { cli, server, file, env, run, table };
}

it('has the table of one that nobody disturbed, and pays again only for what was in flight', async () => {
  const quiet = await setUp('undisturbed-numbers');
  await quiet.cli.workerProcess(quiet.env);
  await quiet.run();

  const { cli, server, file, env, run, table } = await setUp('disturbed-numbers');
  const random = seededRandom(7);
  for (let kill = 0; kill < KILLS; kill++) {
    const worker = await cli.workerProcess(env);
    const command = cli.start(['study', 'run', file], env);
    await sleep(random() * 4_000);
    // Whichever is killed, both begin anew: the same is typed again.
    await Promise.all([worker.end('SIGKILL'), command.end('SIGKILL')]);
  }
  await cli.workerProcess(env);
  expect(await run()).toMatchObject({ state: 'finished', pause: null, budgetUsd: 100 });
  expect(await table()).toBe(await quiet.table());
  // Of each kill, what was in flight may be paid for again: four questions in each of four runs.
  const more = server.requests.length - quiet.server.requests.length;
  expect(more).toBeLessThanOrEqual(KILLS * 4 * 4);
});
