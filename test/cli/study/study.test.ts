/** `study` as a researcher types it: from a file to a table. */
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commandLineOver } from '../../support/command-line.js';
import { temporaryFolder } from '../../support/folder.js';
import { numberFiles } from '../../support/number-files.js';
import { promptOf } from '../../support/telephone.js';

it('runs a study file, says what has changed, and makes its table', async () => {
  const { cli, server, file } = await numberFiles(6, (number) => number !== 5);
  await cli.worker();
  const folder = join(cli.home, 'research');
  await mkdir(folder);
  await copyFile(file, join(folder, 'numbers.jsonl'));
  const study = join(folder, 'study.yaml');
  const text = (...methods: string[]) =>
    [
      'name: numbers',
      `methods: [${methods.join(', ')}]`,
      'datasets: [numbers.jsonl]',
      'models: [some-model]',
      'repeats: 2',
      'baseline: base',
      '',
    ].join('\n');
  await writeFile(
    study,
    text('base', '{ base: { passages: 0 }, as: closed }', '{ base: { passages: 1 }, as: open }'),
  );

  const { stderr, stdout } = await cli.ok(['study', 'run', study, '--dry-run', '--json']);
  expect(stderr).toBe('');
  const dry = JSON.parse(stdout);
  expect(dry).toMatchObject({ study: 'numbers', calls: 24 });

  // Each question has one passage: what two of the methods ask is the same.
  expect((await cli.run(['study', 'run', study, '--dry-run'])).stdout).toContain(
    'Every step asks at temperature 0',
  );

  const ran = await cli.ok(['study', 'run', study]);
  expect(ran.stdout).toContain('numbers: finished, 6 of 6 runs ended, 36 questions done');
  expect(server.requests).toHaveLength(24);

  // The dry run has said of each run by its name what is kept of it.
  const namesIn = (runs: { run: string }[]) => runs.map(({ run }) => run).sort();
  expect(namesIn(await cli.json(['runs']))).toEqual(namesIn(dry.runs));

  const table = await cli.ok(['study', 'table', 'numbers', '--format', 'csv']);
  expect(table.stdout).toContain('closed');

  // What the study says is compared, wherever it is shown; another metric only where it is asked for.
  const asked = server.requests.length;
  const declared = `${text('base', '{ base: { passages: 0 }, as: closed }', '{ base: { passages: 1 }, as: open }')}metrics: [EM, f1]\n`;
  await writeFile(study, declared);
  await cli.ok(['study', 'run', study]);
  expect(server.requests).toHaveLength(asked);
  const { rows, columns } = await cli.json(['study', 'table', 'numbers']);
  expect(columns.map(({ metric }: { metric: string }) => metric)).toEqual(['em', 'f1']);
  const { comparisons } = await cli.json(['compare', 'numbers']);
  for (const { first, metric, p, decision } of comparisons) {
    const row = rows.find(({ method }: { method: string }) => method === first);
    const cell = row.cells[metric === 'em' ? 0 : 1];
    expect(cell.comparison).toMatchObject({ p, decision, against: 'base' });
  }
  expect(comparisons).toHaveLength(4);
  const ofRecall = await cli.ok(['study', 'table', 'numbers', '--of', 'HAS ANSWER']);
  expect(ofRecall.stdout).toContain('Differences from base in Has answer are not tested');
  for (const words of [
    ['study', 'table', 'numbers', '--of', 'nonsense'],
    ['study', 'table', 'numbers', '--metric', 'em,nonsense'],
    ['compare', 'numbers', '--metric', 'nonsense'],
    ['report', 'numbers', '--metric', 'nonsense', '--out', join(folder, 'no.html')],
  ]) {
    const refused = await cli.run(words);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('"nonsense"')]);
  }
  const margin = await cli.ok(['compare', 'numbers', '--margin', '2', '--metric', 'em']);
  expect(margin.stdout.replaceAll(/\s+/g, ' ')).toContain('so nothing is concluded');
  for (const line of margin.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);

  const long = await cli.run(['study', 'table', 'numbers', '--long']);
  expect(long.stdout.trim().split('\n')).toHaveLength(1 + 36);

  // A cell that is added asks only itself; one that is gone is named.
  await writeFile(study, text('base', '{ base: { passages: 2 }, as: two }'));
  const again = await cli.run(['study', 'run', study]);
  expect(again.stderr).toContain('4 runs, 2 of them begun before');
  expect(again.stderr).toContain('numbers.closed.numbers.some-model.r1');
  expect(await cli.json(['study', 'list'])).toEqual([{ name: 'numbers', runs: 8 }]);

  const retried = await cli.json(['study', 'retry', 'numbers']);
  expect(retried).toMatchObject({ study: 'numbers', state: 'finished' });
  const over = await cli.run(['study', 'cancel', 'numbers']);
  expect([over.code, over.stderr]).toEqual([7, expect.stringContaining('it is finished')]);
  const taken = join(cli.home, 'taken.tar.gz');
  expect((await cli.json(['study', 'export', 'numbers', taken])).runs).toHaveLength(8);
  expect((await cli.run(['study', 'delete', 'numbers'])).stderr).toContain('--yes');
  const deleted = await cli.json(['study', 'delete', 'numbers', '--yes']);
  expect(deleted).toMatchObject({ study: 'numbers', runs: 8 });
  expect((await cli.run(['study', 'table', 'numbers'])).code).toBe(6);
  expect((await cli.run(['study', 'delete', 'numbers', '--yes'])).code).toBe(6);

  await writeFile(study, text('base', 'bsae'));
  const bad = await cli.run(['study', 'run', study]);
  expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('bsae')]);
  expect(bad.stderr).toContain(study);
  const missing = await cli.run(['study', 'table', 'elsewhere']);
  expect([missing.code, missing.stderr]).toEqual([
    expect.any(Number),
    expect.stringContaining(
      'No run of a study "elsewhere" is stored here; "durable-rag study list"',
    ),
  ]);
});

it('ends with 3 while some of its questions have failed, and says so under its table', async () => {
  let isMended = false;
  const { cli } = await commandLineOver((request) => {
    const isShort = promptOf(request).includes('Ada');
    if (isMended || isShort) return { text: 'Bell' };
    const error = { message: 'Too long.', code: 'context_length_exceeded' };
    return { status: 400, body: { error } };
  });
  await cli.worker();
  const questions = ['Ada', 'Ben', 'Cem'].map((name) => ({
    id: name,
    question: `What did ${name} invent?`,
    answers: ['Bell'],
  }));
  await cli.write('inventors.jsonl', ...questions);
  const study = join(cli.home, 'study.yaml');
  const one = '{ base: { passages: 0 }, as: closed }';
  await writeFile(study, `name: failing\nmethods: [${one}]\ndatasets: [inventors.jsonl]\n`);

  const ran = await cli.run(['study', 'run', study]);
  expect([ran.code, ran.stdout]).toEqual([3, expect.stringContaining('2 failed')]);
  expect(ran.stderr).toContain('durable-rag study retry failing');
  for (const again of ['status', 'attach']) {
    expect((await cli.run(['study', again, 'failing'])).code).toBe(3);
  }
  const table = await cli.ok(['study', 'table', 'failing']);
  expect(table.stdout).toContain('Failed answers count as 0: 2 of 3 in closed.');
  const { rows } = await cli.json(['study', 'table', 'failing']);
  expect(rows[0].cells[0]).toMatchObject({ answers: 3, planned: 3, failed: 2, isBest: false });

  isMended = true;
  const retried = await cli.run(['study', 'retry', 'failing']);
  expect([retried.code, retried.stderr]).toEqual([0, expect.not.stringContaining('retry')]);
});

it('asks a study of documents, and takes the questions of each for one draw wherever it is told', async () => {
  const isHelped = (prompt: string) => prompt.includes('Bell was a number.');
  const { cli } = await commandLineOver((request) => {
    const prompt = promptOf(request);
    const number = Number(/number (\d+)\?/.exec(prompt)?.[1]);
    // With a passage every third document more is right.
    const isRight = (number >> 1) % 3 === 0 || (isHelped(prompt) && (number >> 1) % 3 === 1);
    return { text: isRight ? 'Bell' : 'Gray' };
  });
  await cli.worker();
  const passages = [{ title: 'Bell', text: 'Bell was a number.' }];
  const questions = Array.from({ length: 40 }, (_, i) => ({
    id: `${i}`,
    question: `Who was number ${i}?`,
    answers: ['Bell'],
    passages,
    fields: { doc: `d${i >> 1}`, type: `t${(i >> 1) % 2}` },
  }));
  await cli.write('documents.jsonl', ...questions);
  const study = join(cli.home, 'documents.yaml');
  const text = (cluster: string) =>
    [
      'name: documents',
      'methods: [{ base: { passages: 0 }, as: closed }, { base: { passages: 1 }, as: open }]',
      'datasets: [documents.jsonl]',
      'baseline: closed',
      `cluster: ${cluster}`,
      '',
    ].join('\n');
  await writeFile(study, text('dok'));
  const refused = await cli.run(['study', 'run', study]);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('did you mean doc?')]);
  await writeFile(study, text('doc'));
  await cli.ok(['study', 'run', study]);

  const { rows } = await cli.json(['study', 'table', 'documents']);
  const { comparison } = rows[1].cells[0];
  const { comparisons } = await cli.json(['compare', 'documents']);
  expect(comparisons).toMatchObject([{ cluster: 'doc', questions: 40, draws: 20 }]);
  for (const part of ['difference', 'p', 'corrected', 'decision'] as const) {
    expect(comparisons[0][part]).toEqual(comparison[part]);
  }
  const { first, second } = comparisons[0].runs;
  const runs = [...second, ...first];
  const typed = await cli.json(['compare', ...runs, '--cluster', 'doc']);
  expect(typed.comparisons[0].p).toBe(comparison.p);
  const report = join(cli.home, 'documents.html');
  await cli.ok(['report', 'documents', '--out', report]);
  expect(await readFile(report, 'utf8')).toContain(
    'all questions with the same doc count as one draw',
  );
  const sliced = await cli.json(['study', 'table', 'documents', '--by', 'type']);
  // Each type has 10 documents, from which nothing is concluded.
  expect(sliced.rows[1].cells[0].comparison).toMatchObject({ decision: 'tooFew' });
});

/** Half B has more than twenty of them, from fewer of which nothing is concluded. */
const TUNED = 48;

it('takes a tune from its file to the pipeline that is used', async () => {
  const { cli, server } = await commandLineOver((request) => {
    const number = Number(/number (\d+)\?/.exec(promptOf(request))?.[1]);
    return { text: request.model === 'good' || number % 3 === 0 ? 'Bell' : 'Gray' };
  });
  const numbers = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({
      id: `${from + i}`,
      question: `Who was number ${from + i}?`,
      answers: ['Bell'],
    }));
  const [file, others] = [
    await cli.write('numbers.jsonl', ...numbers(0, TUNED)),
    await cli.write('others.jsonl', ...numbers(500, 3)),
  ];
  await cli.worker();
  const start = ['--method', 'base', '--option', 'passages=0', '--dataset', file];
  await cli.ok(['eval', ...start, '--name', 'numbers']);
  const folder = join(cli.home, 'tuning');
  await mkdir(folder);
  const tune = join(folder, 'tune.yaml');
  const lines = ['name: tuned', 'start: numbers', 'goal: better', 'try: { models: [good, poor] }'];
  await writeFile(tune, lines.join('\n'));

  const planned = await cli.ok(['tune', 'run', tune, '--dry-run']);
  expect(planned.stdout).toMatch(/^tuned: 2 changes, searched on \d+ questions \(half A\)/);
  expect(server.requests).toHaveLength(TUNED);
  const here = await readdir('.');
  const ran = await cli.ok(['tune', 'run', tune]);
  const shown = /Half B shows "read: good" to be better, by \+\d/;
  expect(ran.stdout).toMatch(shown);
  expect(ran.stderr).toContain('tuned: running, confirmation');
  // Nothing is left in the folder of the command, and everything beside the file.
  expect(await readdir('.')).toEqual(here);
  expect((await readdir(folder)).sort()).toEqual([
    'tune.yaml',
    'tuned.input.json',
    'tuned.start.input.json',
  ]);
  const after = join(folder, 'tuned.input.json');
  const before = join(folder, 'tuned.start.input.json');
  expect(ran.stdout).toContain(`To use it    durable-rag ask 'YOUR QUESTION' --input `);

  // What was shown answers a question, and the questions of another file; so does what it was.
  const models = (calls: number) => server.requests.slice(-calls).map(({ body }) => body.model);
  for (const [input, isRight] of [
    [after, true],
    [before, false],
  ] as const) {
    const { answer } = await cli.json(['ask', 'Who was number 601?', '--input', input]);
    expect([answer, models(1)[0] === 'good']).toEqual([isRight ? 'Bell' : 'Gray', isRight]);
  }
  await cli.ok(['eval', '--input', after, '--dataset', others, '--name', 'after']);
  expect(models(3)).toEqual(['good', 'good', 'good']);

  // Wherever its candidates are compared as other runs are, it is said that half A chose them.
  const note =
    /tuned is a tune. Its candidates were chosen by half A.* durable-rag tune table tuned/;
  for (const words of [
    ['study', 'table', 'tuned'],
    ['compare', 'tuned'],
  ]) {
    expect((await cli.ok(words)).stderr).toMatch(note);
  }
  expect((await cli.ok(['compare', 'after'])).stderr).not.toContain('half A');
  const status = await cli.ok(['study', 'status', 'tuned']);
  expect(status.stderr).toContain('durable-rag tune table tuned');
  const html = join(folder, 'report.html');
  await cli.ok(['report', 'tuned', '--out', html]);
  expect(await readFile(html, 'utf8')).toContain('<h2 id="tune-tuned-title">Tune tuned</h2>');

  // Its archive has the run that it starts from: another machine tells the same.
  const table = await cli.ok(['tune', 'table', 'tuned']);
  expect(table.stdout).toMatch(shown);
  const archive = join(folder, 'tuned.tar.gz');
  await cli.ok(['study', 'export', 'tuned', archive]);
  const elsewhere = { DURABLE_RAG_HOME: await temporaryFolder() };
  const imported = await cli.ok(['study', 'import', archive], elsewhere);
  expect(imported.stderr).toContain('durable-rag tune table tuned');
  const there = await cli.ok(['tune', 'table', 'tuned'], elsewhere);
  expect(there.stdout).toBe(table.stdout);
  const rerun = await cli.run(['study', 'rerun', archive], elsewhere);
  expect([rerun.code, rerun.stderr]).toEqual([2, expect.stringContaining('or it is a tune')]);
});
