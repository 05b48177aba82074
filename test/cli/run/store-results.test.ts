/** Runs in the store, as people with homes of their own use them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { commandLine, commandLineOver } from '../../support/command-line.js';
import { temporaryFolder } from '../../support/folder.js';

const question = {
  id: 'sky',
  question: 'What is the colour of the sky?',
  answers: ['blue'],
  ctxs: [{ title: 'Sky', text: 'The sky is blue, they say.' }],
};

test('a run of one home is listed, exported, reported and deleted from another', async () => {
  const { server, cli: one } = await commandLineOver(() => ({ text: 'blue' }));
  const other = await commandLine(server.baseUrl);
  onTestFinished(() => other.remove());
  const store = await temporaryFolder();
  const env = { DURABLE_RAG_RESULTS: 'store', DURABLE_RAG_STORE: store };
  const dataset = await one.write('sky.jsonl', question);

  const flags = ['--method', 'base', '--dataset', dataset, '--name', 'sky', '--corpus', 'sample'];
  const asked = await one.ok(['eval', ...flags], env);
  expect(asked.stdout).toMatch(/1 of 1 done/);
  expect(existsSync(join(one.home, 'runs'))).toBe(false);

  expect((await other.run(['runs'], env)).stdout).toContain('sky: 1 question, base, begun ');
  const exported = await other.run(['export', 'sky'], env);
  expect(JSON.parse(exported.stdout)).toMatchObject({ id: 'sky', prediction: 'blue' });
  const out = join(other.home, 'report.html');
  const reported = await other.ok(['report', 'sky', '--out', out], env);
  expect(reported.stderr).not.toContain('no longer there');
  await other.ok(['runs', 'delete', 'sky', '--yes'], env);
  expect((await one.run(['runs'], env)).stdout).not.toContain('sky');
});
