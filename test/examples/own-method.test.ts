/** A method of one's own, on workers of one version, wherever they start: a run outlives them. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type CommandLine, commandLine, type Running } from '../support/command-line.js';
import { type ModelServer, startModelServer } from '../support/model-server.js';
import { gate } from '../support/run.js';
import { promptOf } from '../support/telephone.js';
import { type Installed, installed } from './installed.js';

vi.setConfig({ testTimeout: 300_000 });

const PASSAGES = [{ title: 'France', text: 'Its capital is Paris.' }];
const killed = gate();

function reply(prompt: string): string {
  if (!prompt.includes('Look again')) return prompt.includes('second city') ? 'Lyon' : 'Paris';
  return prompt.includes('Answer: Lyon') ? 'No' : 'Yes';
}

let server: ModelServer;
let one: Installed;
let other: Installed;
let cli: CommandLine;
const workers: Running[] = [];

beforeAll(async () => {
  server = await startModelServer({
    reply: async (request) => {
      const prompt = promptOf(request);
      if (prompt.includes('Capital 3?')) await killed.opened;
      return { text: reply(prompt) };
    },
  });
  [one, other] = (await installed(2, 'own-method')) as [Installed, Installed];
  cli = await commandLine(server.baseUrl);
  await startWorker(one);
  await cli.ok(['deploy', 'promote']);
});
afterAll(async () => {
  for (const { child } of workers) child.kill('SIGKILL');
  await cli?.remove();
  await server?.close();
});

/** A worker of the package that is installed there; gives its version. */
async function startWorker(place: Installed) {
  const worker = cli.start(['worker', '--versioned'], {}, place);
  workers.push(worker);
  await worker.says('polls');
  return /as version (\w{12})/.exec(worker.said())?.[1];
}

const run = (...args: string[]) =>
  cli.run(['--config', join(one.cwd, 'durable-rag.config.ts'), ...args]);

async function evaluating(name: string, questions: readonly string[], ...flags: string[]) {
  const asked = questions.map((question, i) => ({
    id: `${i}`,
    question,
    answers: ['Paris'],
    passages: PASSAGES,
  }));
  const dataset = await cli.write(`${name}.jsonl`, ...asked);
  return run('eval', '--method', 'lookTwice', '--dataset', dataset, '--name', name, ...flags);
}

it('is found in its folder and listed, and its input is checked', async () => {
  const { stdout } = await cli.start(['methods'], {}, one).finished;
  expect(stdout).toContain('## `lookTwice`');
  const bad = await run('ask', 'Why?', '--method', 'lookTwice', '--option', 'pasages=2');
  expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('did you mean passages?')]);
});

it('answers with its own step, under the model that is named for it', async () => {
  const given = { retrieval: { passages: PASSAGES }, models: { secondLook: 'careful' } };
  const input = await cli.write('input.json', given);
  const asked = ['ask', 'What is the capital of France?', '--method', 'lookTwice', '--json'];
  const { stdout } = await run(...asked, '--input', input);
  expect(JSON.parse(stdout)).toMatchObject({
    method: 'lookTwice',
    outcome: 'answered',
    answer: 'Paris',
    chain: { reading: 'Paris', confirmed: true },
    steps: { secondLook: { calls: 1, prompts: [expect.stringMatching(/^\w{12}\+\w{12}$/)] } },
  });
  expect(server.requests.at(-1)?.body).toMatchObject({ model: 'careful' });
});

it('is evaluated, estimated and reported', async () => {
  const questions = ['The capital of France?', 'Its second city?'];
  const dry = await evaluating('looked-twice', questions, '--dry-run');
  expect(dry.stdout).toMatch(/Calls {6}at most 4$/m);
  expect(dry.stdout).toMatch(/Tokens {5}at most [\d,]+ prompt, 160 completion/);

  const { code, stdout } = await evaluating('looked-twice', questions);
  expect([code, stdout]).toEqual([0, expect.stringContaining('EM 50')]);

  const report = join(cli.home, 'report.html');
  const reported = await run('report', 'looked-twice', '--out', report);
  expect([reported.code, reported.stderr]).toEqual([0, expect.stringContaining(report)]);
  expect(await readFile(report, 'utf8')).toContain('lookTwice');
});

it('goes on in another folder with the run of a worker that was killed', async () => {
  const questions = ['Capital 1?', 'Capital 2?', 'Capital 3?'];
  expect((await evaluating('moved', questions, '--detach')).code).toBe(0);
  const asked = () => server.requests.some(({ body }) => promptOf(body).includes('Capital 3?'));
  await expect.poll(asked).toBe(true);
  const [first] = workers;
  first?.child.kill('SIGKILL');
  await first?.finished;
  await rm(join(one.cwd, 'look-twice.ts'));

  expect(first?.said()).toContain(`as version ${await startWorker(other)}`);
  killed.open();
  const { stdout } = await cli.run(['attach', 'moved']);
  expect(stdout).toContain('EM 100');
  expect((await cli.run(['status', 'moved'])).stdout).not.toContain('no workers');
});
