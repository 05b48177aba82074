/** Commands that write a run under a name: two at once, and one that is killed and typed again. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileRuns } from '../../../stores/runs/file-runs.js';
import { writeRunArchive } from '../../../stores/runs/run-archive.js';
import { answer, manifestFor, question, stream } from '../../../testing/run-records.js';
import { type CommandLine, commandLineOver } from '../../support/command-line.js';
import { allOf } from '../../support/contract.js';
import { temporaryFolder } from '../../support/folder.js';
import { gate, soon } from '../../support/run.js';

/** An archive of a run whose answers are all this one. */
async function archived(run: string, questions: number, said: string): Promise<string> {
  const folder = await temporaryFolder();
  const runs = fileRuns(folder);
  const asked = Array.from({ length: questions }, (_, at) => question(`q${at}`));
  await runs.begin(run, stream(asked), () => manifestFor(run, { questions }));
  for (const { id } of asked) await runs.put(run, answer(id, { answer: said }));
  const file = join(folder, `${run}.tar.gz`);
  await writeRunArchive(run, file, { runs, texts: async () => new Map() });
  return file;
}

async function answersOf({ home }: CommandLine, run: string) {
  const runs = fileRuns(join(home, 'runs'));
  const ids = (await allOf(runs.questions(run))).map((one) => one.question.id);
  return Promise.all(ids.map(async (id) => (await runs.get(run, id))?.result?.answer));
}

test('of two processes that import runs under one name one ends well, and loses no answer', async () => {
  const { cli } = await commandLineOver(() => ({ text: '' }));
  const files = [await archived('first', 200, 'Bell'), await archived('second', 150, 'Gray')];
  for (const name of ['one', 'two']) {
    const imports = files.map((file) => cli.start(['runs', 'import', file, '--name', name]));
    const ended = await Promise.all(imports.map(({ finished }) => finished));
    const codes = ended.map(({ code }) => code);
    expect([...codes].sort(), ended.map(({ stderr }) => stderr).join()).toEqual([0, 7]);
    const expected = codes[0] === 0 ? Array(200).fill('Bell') : Array(150).fill('Gray');
    expect(await answersOf(cli, name)).toEqual(expected);
    expect(ended.find(({ code }) => code === 7)?.stderr).toContain(
      `There is already a run "${name}"`,
    );
  }
});

test('rescore --name that is killed while it copies goes on when it is typed again', async () => {
  const { cli } = await commandLineOver(() => ({ text: '' }));
  const file = await archived('whole', 400, 'Bell');
  await cli.ok(['runs', 'import', file]);
  const rescore = (name: string) => ['rescore', 'whole', '--name', name];
  const killed = cli.start(rescore('copy'));
  const copying = () => readdirSync(join(cli.home, 'runs', 'copy')).length;
  await soon(() =>
    expect(existsSync(join(cli.home, 'runs', 'copy')) && copying()).toBeGreaterThan(0),
  );
  expect(await killed.end('SIGKILL')).toBeNull();
  expect(await fileRuns(join(cli.home, 'runs')).manifest('copy')).toBeUndefined();
  await cli.ok(rescore('copy'));
  expect(await answersOf(cli, 'copy')).toEqual(Array(400).fill('Bell'));
});

test('rescore --name that is killed while the judge is asked joins that when it is typed again', async () => {
  const judging = gate();
  const { server, cli } = await commandLineOver(async ({ model }) => {
    if (model !== 'judge-1') return { text: 'blue' };
    await judging.opened;
    return { text: 'Yes' };
  });
  await cli.worker();
  const questions = [1, 2, 3].map((at) => ({
    id: `sky-${at}`,
    question: `What colour has sky ${at}?`,
    answers: ['blue'],
    claims: [`Sky ${at} is blue.`],
  }));
  const dataset = await cli.write('sky.jsonl', ...questions);
  await cli.ok(['eval', '--method', 'noRetrieval', '--dataset', dataset, '--name', 'judged-sky']);
  const rescore = [
    'rescore',
    'judged-sky',
    '--dataset',
    dataset,
    '--judge',
    'judge-1',
    '--name',
    'judged-copy',
  ];
  const asked = () => server.requests.filter(({ body }) => body.model === 'judge-1').length;
  const killed = cli.start(rescore);
  await soon(() => expect(asked()).toBeGreaterThan(0));
  expect(await killed.end('SIGKILL')).toBeNull();
  const withoutJudge = await cli.run(['rescore', 'judged-sky', '--name', 'judged-copy']);
  expect(withoutJudge).toMatchObject({ code: 7 });
  expect(withoutJudge.stderr).toContain('The run "judged-copy" is under way');
  const again = cli.begin(rescore);
  await again.says('Run');
  judging.open();
  const { code, stdout, stderr } = await again.finished;
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/Claim recall .*100\.0 \(3 questions\)/);
  expect(asked()).toBe(3);
});
