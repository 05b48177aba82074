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
