/** `race` and `study check` as they are typed: asked until it is decided. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { numberFiles, rightWithPassage } from '../../support/number-files.js';

it('races two methods, and checks one against a kept run', async () => {
  const { cli, server, file } = await numberFiles(60, rightWithPassage);
  await cli.worker();
  const closed = '{ base: { passages: 0 }, as: closed }';
  const asked = ['--dataset', file, '--model', 'some-model'];

  const won = await cli.ok(['race', 'base', closed, ...asked, '--name', 'won']);
  expect(won.stdout).toContain('EM: better than closed: +');
  expect(won.stdout).toMatch(/decided after \d+, for questions like these/);
  expect(server.requests.length).toBeLessThan(120);
  const table = await cli.run(['study', 'table', 'won']);
  expect(table.stdout).toMatch(/Not asked: \d+ of 120 answers, some \d+ calls/);
  expect(table.stdout).toContain('a test of fixed size of the same: p');

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
  expect(even.stdout).toContain('cannot be told from base with what is left');
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
  expect(passed.stderr).toContain('60 questions decide');
  expect([passed.code, passed.stderr]).toEqual([0, expect.stringContaining('PASS')]);
  expect(await readFile(junit, 'utf8')).toContain('failures="0" errors="0"');
  const failed = await check('closed', '3');
  expect([failed.code, failed.stderr]).toEqual([9, expect.stringContaining('FAIL')]);
  const open = await check('base', '1');
  expect([open.code, open.stderr]).toEqual([10, expect.stringContaining('UNDECIDED')]);
  const nobody = await check('sure', '3');
  expect([nobody.code, nobody.stderr]).toEqual([2, expect.stringContaining('closed.numbers')]);
});
