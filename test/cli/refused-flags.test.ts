/** Flags and arguments of a command alone that cannot be: each is named, with what it takes. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { quietProgram, refusalOf } from '../support/cli-context.js';
import { temporaryFolder } from '../support/folder.js';

it.each([
  ['index passages.jsonl', '--into: is missing; it must be text'],
  ['index passages.jsonl --into wiki --k1 high', '--k1: must be a number, not "high"'],
  ['codec-server --port 70000', '--port: must be a whole number from 0 to 65535, not 70000'],
  ['report first --port 8080', '--port: has no effect without --serve'],
  ['explain first --sample 10', '--sample: has no effect without --stronger or --budget-usd'],
  ['explain first --stronger m --sample 1.5', '--sample: must be a whole number'],
  ['eval --method base --dataset q.jsonl --junit gate.xml', '--junit: has no effect without'],
  ['eval --method base --dataset q.jsonl --fail-below em=40', '--fail-below: must be a number'],
  ['eval --method base --dataset q.jsonl --fail-below em=most', '--fail-below: must be a number'],
  ['eval --method base', '--dataset: is missing; it must be the name of a data set'],
  ['store prune', '--older-than: is missing'],
  ['schedule create nightly --cron @daily -- --rpm none', '--rpm: must be a number'],
  // What is written for no limit is a word, and fields are called as their flags.
  ['set first --rpm much', '--rpm: must be a positive number, or none for no limit'],
  ['fork first --model m', '--model: needs --at, the step that it changes'],
  [
    'ask Who? --extra-body temperature=1',
    '--extra-body temperature: is decided by durable-rag; set temp',
  ],
  ['ask Who? --extra-body token=abc', '--extra-body token: looks like a secret'],
  [
    'ask Who? --extra-body provider={"headers":{"x-api-key":"abc"}}',
    '--extra-body provider.headers.x-api-key: looks like a secret',
  ],
  ['fork first', '--option: is missing: say what is changed, or --at'],
  ['eval --method base --dataset q.jsonl --pause-after 0', 'to 1000, or none, not 0'],
])('%s', async (line, message) => {
  const refused = await refusalOf(line.split(' '));
  expect(refused).toMatchObject({ type: 'BadInput', message: expect.stringContaining(message) });
});

it('refuses a run, a schedule and a study whose questions have no corpus before they start', async () => {
  const home = await temporaryFolder();
  const questions = join(home, 'questions.jsonl');
  const own = { passages: [{ title: 'Bell', text: 'Bell was first.' }] };
  const record = (id: string, more = {}) =>
    `${JSON.stringify({ id, question: 'Who was first?', answers: ['Bell'], ...more })}\n`;
  await writeFile(questions, record('q1', own) + record('q2'));
  const study = join(home, 'study.json');
  const datasets = [questions];
  await writeFile(study, JSON.stringify({ name: 's', methods: ['base'], datasets }));
  const env = { DURABLE_RAG_HOME: home, TEMPORAL_ADDRESS: '127.0.0.1:1' };
  const evaluated = ['--method', 'base', '--dataset', questions];
  const message = /corpus: is missing, and the question "q2" has to search one/;
  for (const words of [
    ['eval', ...evaluated, '--name', 'r'],
    ['eval', ...evaluated, '--name', 'r', '--detach'],
    ['schedule', 'create', 'n', '--cron', '@daily', '--', ...evaluated],
    ['study', 'run', study],
    ['race', 'base', 'sure', '--dataset', questions],
    // The question brings its passages, and its noise is drawn from those of others.
    [
      'eval',
      ...evaluated,
      '--name',
      'r',
      '--limit',
      '1',
      '--noise',
      '0.4',
      '--noise-kind',
      'random',
    ],
  ]) {
    const refused = await refusalOf(words, { env });
    expect(refused, `${words.join(' ')}: ${refused}`).toMatchObject({
      type: 'BadInput',
      message: expect.stringMatching(message),
    });
  }
  // What is asked brings its passages, or needs none: no server answers.
  for (const fitting of [
    ['--limit', '1'],
    ['--option', 'passages=0'],
  ]) {
    const ended = await refusalOf(['eval', ...evaluated, '--name', 'r', '--detach', ...fitting], {
      env,
    });
    expect(ended).toMatchObject({ type: 'Connection' });
  }
});

it.each(['em', '=0.4', 'em 0.4'])('refuses --fail-below %s', async (value) => {
  const words = ['eval', '--fail-below', value];
  await expect(quietProgram().parseAsync(words, { from: 'user' })).rejects.toThrow('name=value');
});
