/** `train-data` from the built command line: what it leaves, where it goes on, what it prints. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandLineOver } from '../../support/command-line.js';
import type { ReplySpec } from '../../support/model-server.js';
import { promptOf } from '../../support/telephone.js';

const NO_CREDIT: ReplySpec = {
  status: 429,
  body: { error: { code: 'insufficient_quota', message: 'No credit.' } },
};
const NOTES = { text: 'Note 1 (relevant): It is blue.\nAnswer: blue' };

test('the same command ends where nothing can be asked, and goes on later', async () => {
  let isEmpty = true;
  const { cli } = await commandLineOver((request) =>
    isEmpty && promptOf(request).includes('grass') ? NO_CREDIT : NOTES,
  );
  const questions = ['the sky', 'grass'].map((what) => ({
    id: what,
    question: `What is the colour of ${what}?`,
    passages: [{ title: what, text: `The colour of ${what}.` }],
  }));
  const dataset = await cli.write('colours.jsonl', ...questions);
  const out = join(cli.home, 'notes');
  const command = ['train-data', '--dataset', dataset, '--out', out, '--passages', '1'];

  const first = await cli.run(command);
  expect(first, first.stderr).toMatchObject({ code: 5, stdout: '' });
  expect(first.stderr).toContain('No credit');

  isEmpty = false;
  const second = await cli.ok(command);
  expect(JSON.parse(second.stdout)).toMatchObject({
    questions: 2,
    examples: 2,
    failed: 0,
    files: { chat: join(out, 'train.jsonl'), weighted: join(out, 'train-weighted.jsonl') },
  });
  const chat = await readFile(join(out, 'train.jsonl'), 'utf8');
  expect(chat.trim().split('\n')).toHaveLength(2);

  const [, run = ''] = /Run\s+(train-notes-\w+)/.exec(second.stderr) ?? [];
  expect((await cli.ok(['export', run, '--format', 'chat'])).stdout).toBe(chat);
});
