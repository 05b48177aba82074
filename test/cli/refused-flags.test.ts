/** A run over questions that have no corpus to search is refused before it starts. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { refusalOf } from '../support/cli-context.js';
import { temporaryFolder } from '../support/folder.js';

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
