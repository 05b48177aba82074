/** `race` and `study check` as they are typed: asked until it is decided. */
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { numberFiles, rightWithPassage } from '../../support/number-files.js';

const QUESTIONS = 44;

it('races two methods, checks one against a stored run, and makes a table of a paper', async () => {
  const { cli, server, file } = await numberFiles(QUESTIONS, rightWithPassage);
  await cli.worker();
  const closed = '{ base: { passages: 0 }, as: closed }';
  const asked = ['--dataset', file, '--model', 'some-model'];

  const won = await cli.ok(['race', 'base', closed, ...asked, '--name', 'won']);
  expect(won.stdout).toContain('EM: better than closed: +');
  expect(won.stdout).toMatch(/decided after \d+, for questions like these/);
  expect(server.requests.length).toBeLessThan(2 * QUESTIONS);
  const table = await cli.run(['study', 'table', 'won']);
  expect(table.stdout).toMatch(/Not asked: \d+ of 88 answers, some \d+ calls/);
  expect(table.stdout).toContain('a fixed-size test of the same questions: p');

  const even = await cli.ok([
    'race',
    '{ base: { passages: 1 }, as: one }',
    'base',
    ...asked,
    '--sample',
    '20',
    '--name',
    'even',
  ]);
  expect(even.stdout).toContain('cannot be distinguished from base by the remaining questions');
  const late = await cli.run(['race', 'base', closed, ...asked, '--name', 'won', '--delta', '5']);
  expect([late.code, late.stderr]).toEqual([7, expect.stringContaining('until decided by')]);

  await cli.run(['eval', '--method', 'base', ...asked, '--name', 'release']);
  const study = join(cli.home, 'study.yaml');
  const text = [
    'name: nightly-check',
    'methods: [base, { base: { passages: 0 }, as: closed }]',
    'datasets: [numbers.jsonl]',
    'models: [some-model]',
    '',
  ];
  await writeFile(study, text.join('\n'));
  const check = (cell: string, margin: string, ...more: string[]) =>
    cli.run([
      'study',
      'check',
      study,
      '--cell',
      cell,
      '--against',
      'release',
      '--margin',
      margin,
      ...more,
    ]);
  const junit = join(cli.home, 'gate.xml');
  const passed = await check('base', '20', '--junit', junit);
  expect(passed.stderr).toContain(`${QUESTIONS} questions decide`);
  expect([passed.code, passed.stderr]).toEqual([0, expect.stringContaining('PASS')]);
  expect(await readFile(junit, 'utf8')).toContain('failures="0" errors="0"');
  const failed = await check('closed', '3');
  expect([failed.code, failed.stderr]).toEqual([9, expect.stringContaining('FAIL')]);
  const open = await check('base', '1');
  expect([open.code, open.stderr]).toEqual([10, expect.stringContaining('UNDECIDED')]);
  const nobody = await check('sure', '3');
  expect([nobody.code, nobody.stderr]).toEqual([2, expect.stringContaining('closed.numbers')]);

  // A paper's table, from questions that bring their passages.
  const data = ['hotpotqa.jsonl', '2wikimultihopqa.jsonl'];
  for (const name of data) await copyFile(file, join(cli.home, name));
  const main = ['papers', 'ircot', 'main', '--data', cli.home, '--given-passages', '--sample', '8'];
  const made = await cli.ok([...main, '--model', 'some-model']);
  expect(made.stdout).toContain(
    "IRCoT, main: compared with reading once, with FlashRAG's figures.",
  );
  expect(made.stdout).toMatch(/^Standard +35\.3 +21\.0$/m);
  expect(made.stdout).toMatch(/^ {2}ours +\d+\.\d \[\d+\.\d, \d+\.\d\] +\d+\.\d \[/m);
  expect(made.stdout).toMatch(/^ {2}difference +[+−]\d+\.\d \[[+−]?\d+\.\d, /m);
  expect(made.stdout).toMatch(/^HotpotQA F1: .*the order is.* the paper's/m);
  const before = server.requests.length;
  const again = await cli.ok([...main, '--model', 'some-model', '--format', 'csv']);
  expect(server.requests.length).toBe(before);
  const kept = await cli.ok([...main, '--model', 'some-model', '--format', 'csv', '--kept']);
  expect(kept.stdout).toBe(again.stdout);
  expect(kept.stdout).toContain('Standard,HotpotQA F1,35.3,,,');
});
