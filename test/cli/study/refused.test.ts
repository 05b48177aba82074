/** Flags of studies that cannot be: each is named, with what it takes, before anything is read. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/folder.js';
import { refusalOf } from '../../support/refusal-of.js';

/** A study of two cells, over a file that need not be there. */
const STUDY =
  'name: s\nmethods: [base, { base: { passages: 0 }, as: closed }]\ndatasets: [c.jsonl]\nbaseline: base\n';

it.each([
  ['race base sure --dataset c.jsonl --delta 200', '--delta: must be points from 0 to below 100'],
  ['race base sure --dataset c.jsonl --delta 100', '--delta: must be points from 0 to below 100'],
  ['race base sure --dataset c.jsonl --alpha few', '--alpha: must be a number above 0 below 1'],
  ['race base base --dataset c.jsonl', 'is called "base", as another one is'],
  ['race base sure', '--dataset: is missing'],
  ['study run FILE --delta 3', '--delta: has no effect without --until-decided'],
  [
    'study run FILE --until-decided --about thisDataset --failures leftOut',
    'untilDecided.failures: must be wrong for this data set',
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
  ['stands for too much', BOMB, 'stand for too much: write the values out'],
  ['holds itself', 'name: s\nmethods: &m [*m]', 'name what they are in'],
  ['names nothing', 'name: *none', 'that name nothing'],
  ['has a program in it', 'name: s\nmethods: [!!js/function "x"]', 'js/function" at line 2'],
  ['has a type of its own', 'name: !mine s', 'has the tag "!mine" at line 1'],
  [
    'compares by no metric',
    `${STUDY}metrics: [em, f2]\n`,
    'metrics.1: there is no metric "f2"; did you mean f1?',
  ],
  ['has bytes in it', 'name: !!binary aGk=', 'yaml.org,2002:binary" at line 1'],
  ['is no YAML', 'name: [', 'is no YAML: '],
])('refuses a study that %s', async (_, text, message) => {
  const file = join(await temporaryFolder(), 'study.yaml');
  await writeFile(file, text);
  const refused = await refusalOf(['study', 'run', file, '--dry-run']);
  expect(refused).toMatchObject({ type: 'BadInput', message: expect.stringContaining(message) });
  expect((refused as Error).message).toContain(file);
});
