/** What would have been, from the built command line: one call said by hand, a stronger model, perfect steps. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../../stores/package-root.js';
import { commandLine, commandLineOver } from '../../support/command-line.js';
import { promptOf, stepOf, telephoneReply } from '../../support/telephone.js';

const asked = { id: 'q', question: 'Who called?', answers: ['Bell'] };

test('a question is shown, answered as if a step had said something else, and its steps forked', async () => {
  // "small" votes for Gray, and any other model for Bell.
  const { server, cli } = await commandLineOver((request) => {
    const { step, text } = telephoneReply(promptOf(request));
    if (step === 'validate') return { text: 'True' };
    if (step !== 'rankPair' || request.model !== 'small') return { text };
    return { text: text === 'Passage 1' ? 'Passage 2' : 'Passage 1' };
  });
  const passages = ['Bell called.', 'Gray did.'];
  const dataset = await cli.write('q.jsonl', { ...asked, passages });
  const price = { prompt: 1, cachedPrompt: 1, completion: 1 };
  const prices = await cli.write('prices.json', { small: price, big: price });
  await cli.worker({ DURABLE_RAG_PRICES: prices });
  const run = async (...args: string[]) =>
    (await cli.ok(args, { DURABLE_RAG_PRICES: prices })).stdout;
  const about = ['--dataset', dataset, '--model', 'small'];
  await run('eval', '--method', 'sure', ...about, '--name', 'gray');
  const since = () => server.requests.splice(0).map(({ body }) => stepOf(promptOf(body)));
  expect(since()).toHaveLength(7);

  const raw = await run('show', 'gray', 'q', '--raw', 'validate[1]');
  expect(raw).toContain('Who called?');
  expect(raw).toContain('True');
  const elsewhere = { DURABLE_RAG_STORE: join(cli.home, 'elsewhere') };
  const { stdout: gone } = await cli.run(['show', 'gray', 'q', '--raw'], elsewhere);
  expect(gone).toMatch(/== validate\[1\]: reply\n\(gone: the store no longer has it\)/);
  expect(gone).toMatch(/== generateCandidates\[1\] .*: prompt\n\(gone: its file, its passages /);

  const saying = ['fork', 'gray', '--question', 'q', '--at', 'rankPair[1]', '--say'];
  // Both orders say Gray: with one of them turned there is no winner, and the first one answered.
  const told = await run(...saying, 'Passage 1');
  expect(told).toContain('Counted as right');
  expect(since()).toEqual([]);

  const refused = await cli.run([...saying, 'Both are fine, I think.']);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toMatch(/--say.*rankPair/);
  const perfect = ['fork', 'gray', '--perfect', '--dry-run', '--at'];
  const undetermined = await cli.run([...perfect, 'summarize']);
  expect(undetermined).toMatchObject({ code: 2, stdout: '' });
  expect(undetermined.stderr).toContain('--perfect: is not known for summarize: accepted answers');
  expect(await run(...perfect, 'rankPair')).toMatch(/gray-rankPair-/);

  // On another machine, whose store is encrypted, from a file that was written here.
  const file = join(cli.home, 'gray.tar.gz');
  await run('runs', 'export', 'gray', file);
  const other = await commandLine(server.baseUrl);
  onTestFinished(() => other.remove());
  const env = { DURABLE_RAG_ENCRYPTION_KEYS: `k:${Buffer.alloc(32, 7).toString('base64')}` };
  await other.ok(['runs', 'import', file], env);
  expect((await other.ok([...saying, 'Passage 1'], env)).stdout).toContain('Counted as right');
  expect(since()).toEqual([]);

  // Each step with a stronger model, and perfect steps.
  const explaining = ['explain', 'gray', '--stronger', 'big', '--budget-usd', '1'];
  await run(...explaining, '--dry-run');
  expect(since()).toEqual([]);
  const explained = await run(...explaining);
  expect(explained).toMatch(/validate: reads or judges wrongly/);
  expect(explained).toMatch(/\n {2}rankPair +100\.0 \(.*\) of 1 wrong; .* 2 paid calls, \$0\.0/);
  expect(explained).toMatch(/\n {2}validate +0\.0 \(.*\) of 1 wrong; .* 2 paid calls, /);
  const steps = since();
  expect(steps.filter((step) => step === 'rankPair')).toHaveLength(2);
  expect(await run(...explaining)).toBe(explained);
  expect(since()).toEqual([]);

  // Nothing of SuRe is behind a perfect step.
  expect(await run('explain', 'gray', '--budget-usd', '1')).toMatch(/rankPair +100\.0/);
  expect(since()).toEqual([]);
});

test('each step is told of what its budget has paid for, and of the rest with a larger one', async () => {
  const { server, cli } = await commandLineOver((request) => telephoneReply(promptOf(request)));
  const questions = Array.from({ length: 5 }, (_, i) => ({
    ...asked,
    id: `q${i}`,
    question: `Who called, number ${i}?`,
    passages: ['Bell called.', 'Gray did.'],
  }));
  const dataset = await cli.write('q.jsonl', ...questions);
  const price = { prompt: 1, cachedPrompt: 1, completion: 1 };
  const prices = await cli.write('prices.json', { small: price, big: price });
  await cli.worker({ DURABLE_RAG_PRICES: prices });
  const run = (...args: string[]) => cli.ok(args, { DURABLE_RAG_PRICES: prices });
  await run('eval', '--method', 'sure', '--dataset', dataset, '--model', 'small', '--name', 'all');
  const explaining = ['explain', 'all', '--stronger', 'big', '--budget-usd'];
  const { stderr } = await run(...explaining, '0.000001');
  expect(stderr.match(/The budget of .* is spent.* of 5 questions have ended/g)).toHaveLength(4);
  const before = server.requests.length;
  const larger = await run(...explaining, '1');
  expect(larger.stderr).not.toMatch(/is spent/);
  expect(larger.stdout.match(/ of 5 questions, p /g)).toHaveLength(4);
  expect(server.requests.length).toBeGreaterThan(before);
});

test('a dry run says where a fork would pause, since prompts behind its step have changed', async () => {
  const { server, cli } = await commandLineOver((request) => telephoneReply(promptOf(request)));
  const dataset = await cli.write('q.jsonl', { ...asked, passages: ['Bell called.', 'Gray did.'] });
  const prompts = join(cli.home, 'prompts');
  await mkdir(join(prompts, 'mine'), { recursive: true });
  const validate = join(prompts, 'mine', 'validate.txt');
  const shipped = await readFile(join(packageRoot(), 'prompts', 'validate.txt'), 'utf8');
  await writeFile(validate, shipped);
  const run = async (...args: string[]) =>
    (await cli.ok(args, { DURABLE_RAG_PROMPTS: prompts })).stdout;
  const about = ['--dataset', dataset, '--prompts', 'mine', '--name', 'first'];
  await run('eval', '--method', 'sure', ...about);
  const paid = server.requests.length;
  const planning = ['fork', 'first', '--at', 'summarize', '--model', 'other', '--dry-run'];
  expect(await run(...planning)).not.toContain('Pauses');
  await writeFile(validate, `Think hard. ${shipped}`);
  expect(await run(...planning)).toMatch(/\nPauses +validate has to be asked, .*--accept-change/);
  expect(server.requests).toHaveLength(paid);
});
