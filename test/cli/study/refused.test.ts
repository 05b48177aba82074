/** Flags of studies that cannot be: each is named, with what it takes, before anything is read. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { readStudyFile } from '../../../cli/study/study-file.js';
import { fileRuns } from '../../../stores/runs/file-runs.js';
import { cliContext, refusalOf } from '../../support/cli-context.js';
import { temporaryFolder } from '../../support/folder.js';
import { answerOf, keepRun, numbered, runOf } from '../../support/runs/answers.js';

/** A study of two cells, over a file that need not be there. */
const STUDY =
  'name: s\nmethods: [base, { base: { passages: 0 }, as: closed }]\ndatasets: [c.jsonl]\nbaseline: base\n';

it.each([
  ['race base sure --dataset c.jsonl --delta 200', '--delta: must be points from 0 to below 100'],
  ['race base sure --dataset c.jsonl --delta 100', '--delta: must be points from 0 to below 100'],
  ['race base sure --dataset c.jsonl --alpha few', '--alpha: must be a number above 0 and below 1'],
  ['race base base --dataset c.jsonl', 'has the name "base", like another one'],
  ['race base sure', '--dataset: is missing'],
  ['study run FILE --delta 3', '--delta: has no effect without --until-decided'],
  [
    'study run FILE --until-decided --about thisDataset --failures leftOut',
    'untilDecided.failures: must be "wrong" if the decision is about this data set',
  ],
  ['study check FILE --cell closed --against b', '--margin: is missing; it must be points'],
  ['study check FILE --cell closed --against b --margin 100', '--margin: must be points from 0'],
  [
    'study check FILE --cell closed',
    '--against: is missing; it must be text; --margin: is missing',
  ],
  ['study set s --budget-usd nothing', '--budget-usd: must be a number above 0'],
])('%s', async (line, message) => {
  const file = join(await temporaryFolder(), 'study.yaml');
  await writeFile(file, STUDY);
  const words = line.split(' ').map((word) => (word === 'FILE' ? file : word));
  const refused = await refusalOf(words);
  expect(refused).toMatchObject({ type: 'BadInput', message: expect.stringContaining(message) });
});

/** A few lines that stand for ten to the power of nine values. */
const BOMB = [
  `a: &a [${Array(10).fill('"x"').join(', ')}]`,
  ...[...'bcdefghi'].map(
    (name, at) => `${name}: &${name} [${Array(10).fill(`*${'abcdefghi'[at]}`).join(', ')}]`,
  ),
].join('\n');

it.each([
  ['stands for too much', BOMB, 'that are undefined, circular or too large: write the values out'],
  ['holds itself', 'name: s\nmethods: &m [*m]', 'that are undefined, circular or too large'],
  ['names nothing', 'name: *none', 'that are undefined, circular or too large'],
  ['has a program in it', 'name: s\nmethods: [!!js/function "x"]', 'js/function" at line 2'],
  ['has a type of its own', 'name: !mine s', 'has the tag "!mine" at line 1'],
  [
    'compares by no metric',
    `${STUDY}metrics: [em, f2]\n`,
    'metrics.1: there is no metric "f2"; did you mean f1?',
  ],
  ['has bytes in it', 'name: !!binary aGk=', 'yaml.org,2002:binary" at line 1'],
  ['is no YAML', 'name: [', 'is not YAML: '],
])('refuses a study that %s', async (_, text, message) => {
  const file = join(await temporaryFolder(), 'study.yaml');
  await writeFile(file, text);
  const check = ['--cell', 'closed', '--against', 'b', '--margin', '5'];
  for (const words of [
    ['study', 'run', file, '--dry-run'],
    ['study', 'check', file, ...check],
  ]) {
    const refused = await refusalOf(words);
    expect(refused).toMatchObject({ type: 'BadInput', message: expect.stringContaining(message) });
    expect((refused as Error).message).toContain(file);
  }
});

const TRAINING = [1, 2, 3].map((n) => ({ question: `Q${n}?`, answers: [`A${n}`] }));
const TRAIN = TRAINING.map((one) => JSON.stringify(one));
/** Two of them say why. */
const WHY = TRAINING.map((one, i) =>
  JSON.stringify({ ...one, why: i < 2 ? [`It is ${i + 1}.`, ' ', 'So it is.'] : [] }),
);

it.each([
  ['{ count: 2 }', 'demonstrations.from: is missing'],
  ['{ from: train.jsonl }', 'demonstrations.count: is missing'],
  ['{ from: train.jsonl, count: 5 }', 'demonstrations.from: has 3 questions with an answer, but 5'],
  ['{ from: ./c.jsonl, count: 1 }', 'is the data set to ask, so the demonstrations would contain'],
  ['{ from: none.jsonl, count: 1 }', 'none.jsonl'],
  ['{ from: train.jsonl, count: 1, sed: 2 }', 'demonstrations.sed'],
  [
    '{ from: train.jsonl, count: 1, thoughts: why }',
    'demonstrations.thoughts: has no effect: the demonstrations of sure',
  ],
  [
    '{ from: train.jsonl, count: 1 }',
    'demonstrations.thoughts: is missing: the demonstrations of ircot',
    'ircot',
  ],
  [
    '{ from: why.jsonl, reader: durable-rag, count: 3, thoughts: why }',
    'demonstrations.from: has 2 questions with an answer and why, but 3 are needed',
    'iterRetgen',
  ],
  [
    '{ from: train.jsonl, count: 1, thoughts: "a..b" }',
    'demonstrations.thoughts: must be',
    'ircot',
  ],
])('refuses to draw %s', async (drawing, message, method = 'sure') => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'train.jsonl'), TRAIN.join('\n'));
  await writeFile(join(folder, 'why.jsonl'), WHY.join('\n'));
  const study = `name: s\nmethods: [{ ${method}: { demonstrations: ${drawing} } }]\ndatasets: [c.jsonl]\n`;
  await writeFile(join(folder, 'study.yaml'), study);
  const refused = await refusalOf(['study', 'run', join(folder, 'study.yaml'), '--dry-run']);
  expect(refused).toMatchObject({ type: 'BadInput', message: expect.stringContaining(message) });
});

it('puts what is drawn in the place of the drawing, in the form of each method', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'train.jsonl'), WHY.join('\n'));
  const methods = ['sure', 'ircot', 'iterRetgen', 'llatrieval'].map((name) => {
    const thoughts = name.startsWith('i') ? ', thoughts: why' : '';
    const drawn = `{ from: train.jsonl, reader: durable-rag, count: 2, seed: 7${thoughts} }`;
    return `{ ${name}: { demonstrations: ${drawn} } }`;
  });
  const file = join(folder, 'study.yaml');
  await writeFile(file, `name: s\nmethods: [${methods.join(', ')}]\ndatasets: [c.jsonl]\n`);
  const { study } = await readStudyFile(file, cliContext());
  const shown = study.methods.map(({ of }) => of.options.demonstrations as object[]);
  expect(shown.map((one) => Object.keys(one[0] ?? {}))).toEqual([
    ['question', 'answer'],
    ['question', 'answer', 'thoughts'],
    ['question', 'answer', 'thoughts'],
    ['question', 'answer', 'passages'],
  ]);
  const questions = shown.map((one) => one.map((each) => (each as { question: string }).question));
  // Those that show no thoughts draw from all.
  expect(questions[1]).toEqual(questions[2]);
  expect(questions[0]).toEqual(questions[3]);
  expect(questions[1]?.toSorted()).toEqual(['Q1?', 'Q2?']);
  const [first] = shown[1] as { question: string; thoughts: string[] }[];
  const [, n] = /(\d)/.exec(first?.question ?? '') ?? [];
  expect(first?.thoughts).toEqual([`It is ${n}.`, 'So it is.']);
  // What is kept of the study asks the same without the file.
  expect(JSON.stringify(study.definition)).not.toContain('train.jsonl');
});

let results: string;

/** Two studies that are kept: one of 60 questions of 10 documents, one that stops when it is decided. */
beforeAll(async () => {
  results = await temporaryFolder();
  const store = fileRuns(results);
  for (const name of ['kept', 'decided', 'declared']) {
    for (const [place, method] of ['base', 'sure'].entries()) {
      const study = {
        name,
        method,
        dataset: 'nq',
        model: 'mini',
        place,
        repeat: 1,
        baseline: 'base',
        ...(name === 'decided' && { untilDecided: { delta: 0, alpha: 0.05 } }),
        ...(name === 'declared' && { cluster: 'doc' }),
      };
      const answer = (id: string, i: number) =>
        answerOf(id, 'answered', { em: Number(i % 3 === place), f1: 1 });
      const entries = numbered(60, answer).map(([question, given], i) => {
        const fields = { type: `t${i % 2}`, doc: `d${i % 10}`, source: `s${i}` };
        return [{ ...question, fields }, given] as const;
      });
      await keepRun(
        store,
        runOf(`${name}.${method}`, entries, { method: method as 'base', input: { study } }),
      );
    }
  }
});

it.each([
  ['kept --metric em,en', '--metric: no question has a score in "en"; did you mean em?'],
  ['kept --by typ', '--by: no question has a field or metric "typ"; did you mean type?'],
  ['kept --by difficulty', '--by: no question has a field or metric "difficulty"; there are '],
  ['kept --by source', '--by: "source" has 60 values, and a table has at most 50 slices'],
  ['kept --cluster dok', '--cluster: no question has a field "dok"; did you mean doc?'],
  [
    'kept --cluster doc',
    '--cluster: "doc" groups the questions into 10 clusters, and nothing can be',
  ],
  ['kept --by type --cluster type', '--cluster: "type" groups the questions into 2 clusters'],
  ['decided --cluster source', '--cluster: cannot be used with decided, which stops when it is'],
  ['decided --by type', '--by: cannot be used with decided, which stops when it is decided'],
  ['declared', '--cluster: "doc", which the study declares, groups the questions into 10 clusters'],
])('refuses of a kept study: %s', async (words, message) => {
  const env = { DURABLE_RAG_RESULTS: results };
  const out = join(await temporaryFolder(), 'no.html');
  for (const command of ['compare', 'study table', `report --out ${out}`]) {
    const refused = await refusalOf([...command.split(' '), ...words.split(' ')], { env });
    const told = { type: 'BadInput', message: expect.stringContaining(message) };
    expect(refused, command).toMatchObject(told);
  }
});

it.each([
  ['compare decided --margin 2', '--margin: cannot be used with decided'],
  ['compare kept --baseline sur', '--baseline: must be one of the methods compared (base; sure)'],
  ['compare kept.base kept.sure --baseline x', '--baseline: must be one of the '],
  ['study table kept --of en', '--of: no question has a score in "en"; did you mean em?'],
  ['study table kept --above en', '--above: no question has a score in "en"; did you mean em?'],
  [
    'study table decided --above em',
    '--above: cannot be used with decided, which stops when it is',
  ],
  ['study table kept --correlate en', '--correlate: no question has a score in "en"'],
  [
    'study table kept --of cost --correlate em',
    '--correlate: needs scores: "of" must be "score" or',
  ],
  ['study table kept --long --format latex', '--format: must be csv or json with --long'],
])('refuses of a kept study: %s', async (line, message) => {
  const refused = await refusalOf(line.split(' '), { env: { DURABLE_RAG_RESULTS: results } });
  expect(refused).toMatchObject({ type: 'BadInput', message: expect.stringContaining(message) });
});

it.each([
  ['no field', 'cluster: no question has a field "doc", which the study declares; there are topic'],
  ['few', 'cluster: "doc", which the study declares, groups the questions into 19 clusters'],
])('refuses clusters of a study before a question is asked: %s', async (kind, message) => {
  const folder = await temporaryFolder();
  const lines = Array.from({ length: 40 }, (_, i) => {
    const fields = kind === 'few' ? { doc: `d${i % 19}` } : { topic: 'one' };
    return JSON.stringify({ id: `${i}`, question: `What is ${i}?`, answers: ['x'], fields });
  });
  await writeFile(join(folder, 'c.jsonl'), lines.join('\n'));
  const file = join(folder, 'study.yaml');
  await writeFile(file, `${STUDY}cluster: doc\n`);
  const refused = await refusalOf(['study', 'run', file, '--dry-run']);
  expect((refused as Error).message).toContain(message);
  await writeFile(file, `${STUDY}cluster: doc\nuntilDecided: {}\n`);
  const both = await refusalOf(['study', 'run', file, '--dry-run']);
  expect((both as Error).message).toContain('cluster: has no effect with untilDecided');
});
