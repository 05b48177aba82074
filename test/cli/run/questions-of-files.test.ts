/** Files of questions in shapes that people have, at the commands that take them: flags, notes and refusals. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandLineOver } from '../../support/command-line.js';

const lines = (...records: object[]) => records.map((one) => `${JSON.stringify(one)}\n`).join('');
const over = () => commandLineOver(() => ({ text: 'Ada' }));

const CELLS = 'question,answer\nWho drew it?,Ada; A. B.\nWhen was it drawn?,1801\n';
const MISSING = lines(
  { id: 'a', question: 'Who?', answers: ['Ada; A. B.'] },
  { id: 'b', question: 'When?', answers: [] },
);
const HOTPOT = JSON.stringify([
  {
    _id: 'h1',
    question: 'Who drew the bridge?',
    answer: 'Ada',
    type: 'bridge',
    level: 'hard',
    supporting_facts: [['Bridge', 0]],
    context: [
      ['Fen', ['A fen is wet.']],
      ['Bridge', ['Ada drew the bridge.']],
    ],
  },
]);
const TABLE = "who drew it\t['Ada', 'A. B.']\nwhen was it drawn\t['1801']\n";
const NUMBERS = '{"id": -3290814144789249484, "question": "Who?", "answers": ["Ada"]}\n';

describe('eval --dry-run', () => {
  test.each<[what: string, content: string, flags: string[], code: number, says: RegExp[]]>([
    ['cells with a mark', CELLS, [], 0, [/=> Ada; A\. B\.\n/, /One answer +1 text .*--split ';'/]],
    ['the same, taken apart', CELLS, ['--split', ';'], 0, [/=> Ada \/ A\. B\.\n/]],
    [
      'a question without an answer',
      MISSING,
      [],
      2,
      [/has 1 of 2 records .*: line 2 is not a question: answers: .*--skip-bad/],
    ],
    [
      'the same, left out',
      MISSING,
      ['--skip-bad'],
      0,
      [/span +1 \(/, /Note +1 record left out \(--skip-bad\)/],
    ],
    ['passages in no order', HOTPOT, [], 0, [/read as hotpotqa/, /by BM25 among the passages/]],
    ['the same, as they are', HOTPOT, ['--mode', 'given'], 0, [/read as hotpotqa/]],
    ['a table without a header', TABLE, [], 2, [/--fields question=1,answers=2/]],
    [
      'the same, by its columns',
      TABLE,
      ['--fields', 'question=1,answers=2'],
      0,
      [/span +2 \(/, /who drew it => Ada \/ A\. B\.\n/],
    ],
    ['an id of many digits', NUMBERS, [], 0, [/for example -3290814144789249484:/]],
    [
      "NumPy's lists",
      "question,answers\nWho?,\"['Ada' 'A. B.']\"\n",
      [],
      0,
      [/=> Ada \/ A\. B\.\n/],
    ],
    ['one that NumPy cut', "question,answers\nWho?,\"['Ada' ... 'Zoe']\"\n", [], 2, [/tolist\(\)/]],
    [
      'equal records',
      lines(...Array(3).fill({ question: 'Who?', answers: ['Ada'] })),
      [],
      0,
      [/Note +2 questions of equal records without an id/],
    ],
  ])('%s', async (_, content, flags, code, says) => {
    const { cli, server } = await over();
    const file = join(cli.home, 'data.txt');
    await writeFile(file, content);
    const words = ['eval', '--method', 'noRetrieval', '--dataset', file, ...flags, '--dry-run'];
    if (content === HOTPOT) words[2] = 'base';
    const told = await cli.run(words);
    expect(told.code, told.stderr).toBe(code);
    const said = code === 0 ? told.stdout : told.stderr.replaceAll(/\s+/g, ' ');
    for (const one of says) expect(said).toMatch(one);
    if (flags.includes('given')) expect(said).not.toContain('BM25');
    expect(server.requests).toEqual([]);
  });

  test.each([
    // This machine would run the workers, and their model.
    ['', /^Free +qwen2\.5-coder-1\.5b-instruct: assumed/m],
    ['there:7233', /^Cost +at most \$0\.\d+ with gpt-4o-mini/m],
  ])('without an endpoint, of workers at %j', async (TEMPORAL_ADDRESS, says) => {
    const { cli } = await over();
    const file = await cli.write('q.jsonl', { question: 'Who?', answers: ['Ada'] });
    const env = { OPENAI_BASE_URL: '', OPENAI_API_KEY: '', TEMPORAL_ADDRESS };
    const words = ['eval', '--method', 'noRetrieval', '--dataset', file, '--dry-run'];
    expect((await cli.ok(words, env)).stdout).toMatch(says);
  });
});

test('datasets put, a run, rescore and a study take the same flags and say the same', async () => {
  const { cli } = await over();
  await cli.worker();
  const file = join(cli.home, 'missing.jsonl');
  await writeFile(file, MISSING);
  const reading = ['--split', ';', '--skip-bad'];
  const note = '1 record left out (--skip-bad)';

  const put = await cli.ok(['datasets', 'put', file, '--name', 'put', ...reading]);
  expect(put.stdout).toContain(`put: 1 question\n${note}`);
  expect(await cli.run(['datasets', 'put', file])).toMatchObject({ code: 2, stdout: '' });
  const asking = ['eval', '--method', 'noRetrieval', '--name', 'missing', '--dataset'];
  const again = await cli.run([...asking, 'stored:put', ...reading]);
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('have no effect') });

  const asked = await cli.ok([...asking, file, ...reading]);
  expect(asked.stderr).toContain(note);
  expect(asked.stdout).toMatch(/EM 100\.0 %/);
  // As it stands, the cell is one answer that nobody gives.
  const changing = ['rescore', 'missing', '--dry-run', '--dataset', file, '--skip-bad'];
  const rescored = await cli.ok(changing);
  expect(rescored.stderr).toContain(note);
  expect(rescored.stdout).toMatch(/EM +100\.0 .* 0\.0 /);
  expect((await cli.ok([...changing, '--split', ';'])).stdout).not.toMatch(/EM +100\.0 .* 0\.0 /);

  const study = join(cli.home, 'study.yaml');
  const text = (more: string) =>
    `name: files\nmethods: [noRetrieval]\ndatasets: [{ file: missing.jsonl, split: ';'${more} }]\n`;
  await writeFile(study, text(''));
  const refused = await cli.run(['study', 'run', study, '--dry-run']);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('line 2 is not a question');
  await writeFile(study, text(', skipBad: true'));
  for (const flags of [['--dry-run'], []]) {
    const ran = await cli.ok(['study', 'run', study, ...flags]);
    expect(ran.stderr).toContain(`missing: ${note}`);
  }
  expect((await cli.ok(['study', 'table', 'files'])).stdout).toContain('100.0');
});
