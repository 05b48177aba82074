/** A run from the built command line: out of one machine, into another, and away. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { commandLine, commandLineOver } from '../../support/command-line.js';

const PASSAGE = 'The colour of the sky is blue, and of a passage of this test zyx.';

test('a run is reported on elsewhere with the texts of its passages, and deleted here', async () => {
  const { server, cli: here } = await commandLineOver(() => ({ text: 'blue' }));
  const there = await commandLine(server.baseUrl);
  onTestFinished(() => there.remove());
  const run = `sky-${randomUUID().slice(0, 8)}`;
  const corpus = await here.write('corpus.jsonl', { id: '1', title: 'Sky', text: PASSAGE });
  await here.ok(['index', corpus, '--into', 'sky']);
  const question = { id: 'sky', question: 'What colour has the sky?', answers: ['blue'] };
  const dataset = await here.write('sky.jsonl', question);
  const evaluate = ['eval', '--method', 'base', '--dataset', dataset, '--corpus', 'sky'];
  await here.ok([...evaluate, '--name', run]);

  const file = join(here.home, 'sky.tar.gz');
  const counts = { run, questions: 1, answers: 1, passages: 1, missing: 0 };
  expect(await here.json(['runs', 'export', run, file])).toEqual({ file, ...counts });

  await there.ok(['runs', 'import', file]);
  expect((await there.run(['runs', 'import', file])).code).toBe(7);
  const out = join(there.home, 'report.html');
  const reported = await there.run(['report', run, '--out', out]);
  expect(reported.stderr).not.toContain('no longer there');
  const read = await there.run(['export', run, '--format', 'fid']);
  expect(JSON.parse(read.stdout)).toMatchObject({ id: 'sky', ctxs: [{ text: PASSAGE }] });

  expect((await here.run(['runs', 'delete', run])).stderr).toContain('--yes');
  const deleted = await here.ok(['runs', 'delete', run, '--yes', '--json']);
  expect(JSON.parse(deleted.stdout)).toMatchObject({ run, questions: 1 });
  expect(deleted.stderr).toContain('What remains: the response cache');
  // A server that has much to do deletes late.
  await vi.waitFor(async () => expect((await here.run(['status', run])).code).toBe(6), {
    timeout: 120_000,
    interval: 500,
  });
  expect((await here.run(['runs'])).stdout).not.toContain(run);
  expect((await here.run(['runs', 'delete', run, '--yes'])).code).toBe(6);

  // The same command asks anew; the response cache answers.
  await here.ok([...evaluate, '--name', run]);
  expect(server.requests).toHaveLength(1);
});
