/** The contract of search engines on LanceDB, and what is LanceDB's own. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { bm25Scores } from '../../retrieval/bm25.js';
import { openSearch } from '../../retrieval/open-search.js';
import type { Retriever } from '../../retrieval/retriever.js';
import { corpusName } from '../support/elasticsearch.js';
import { temporaryFolder } from '../support/folder.js';
import { retrievalContract } from './contract.js';
import { idsOf, retrieverOver } from './helpers.js';

const folder = await temporaryFolder();

retrievalContract({
  open: (embeddings) => openSearch({ corpora: folder }, embeddings),
  corpusName,
  flag: '',
  stopWordsFind: ['1', '" OR 1=1 --', "o'brien"],
  deleteCorpus: (name) => rm(path.join(folder, name), { recursive: true }),
});

const WORDS: [string, string][] = [
  ['Первый российский университет.', 'Какой университет новый? Первый!'],
  ['Колючий ёж живёт в лесу.', 'ёж'],
  ['서울은 대한민국의 수도이다.', '대한민국의 도시'],
  ['नई दिल्ली भारत की राजधानी है।', 'राजधानी'],
  ['Η Αθήνα είναι η πρωτεύουσα.', 'Αθήνα'],
  ['ঢাকা বাংলাদেশের রাজধানী', 'রাজধানী'],
  ['Die lange Straße in Berlin', 'Straße'],
  ['İstanbul Boğazı', 'İstanbul'],
  ['שָׁלוֹם עליכם', 'שָׁלוֹם'],
  ['東京は日本の首都です。', '日本の首都はどこですか'],
  ['北京是中华人民共和国的首都。', '中国的首都'],
  ['กรุงเทพมหานครเป็นเมืองหลวงของประเทศไทย', 'เมืองหลวง'],
  ['Й as one letter', 'Й'.normalize('NFD')],
];

test('a text of any script is found by its own word', async () => {
  const texts = WORDS.map(([text], i) => ({ id: `${i}`, text }));
  const retriever = await retrieverOver([{ id: 'other', text: 'An otter.' }, ...texts]);
  for (const [i, [, query]] of WORDS.entries()) {
    expect(idsOf(await retriever.search(query, 1)), query).toEqual([`${i}`]);
  }
});

describe('questions that other words than stop words ask', () => {
  const records = [
    { id: 'band', title: 'The Who', text: 'The Who are a band from London.' },
    { id: 'rank', title: 'Yokozuna', text: 'A yokozuna holds the highest rank in sumo.' },
    { id: 'first', title: 'Akashi', text: 'Akashi was a wrestler who is said to be the first.' },
    { id: 'otter', title: 'Otter', text: 'It keeps the cold water out.' },
  ];

  let retriever: Retriever;
  beforeAll(async () => {
    retriever = await retrieverOver(records);
  });

  test.each<[string, string[]]>([
    ['The Who', ['band', 'first']],
    ['Who was a yokozuna ?', ['rank', 'band', 'first']],
    ['What is it?', []],
    ['It is', ['otter', 'first']],
    ['the', ['band', 'otter', 'rank', 'first']],
  ])('%s', async (query, expected) => {
    expect(idsOf(await retriever.search(query, 5))).toEqual(expected);
  });
});

test('k1 and b are those of the field: a second mention counts for less than a rare word', async () => {
  const texts = ['heron heron heron heron', 'heron otter', 'heron', 'heron', 'heron fish'];
  const retriever = await retrieverOver(texts.map((text, n) => ({ id: `${n}`, text })));
  const found = await retriever.search('heron otter', 5);
  const expected = bm25Scores('heron otter', texts);
  expect(found.map(({ id }) => id)).toEqual(['1', '0', '2', '3', '4']);
  for (const { id, score } of found) expect(score).toBeCloseTo(expected[Number(id)] ?? 0, 6);
});

test('settings of Elasticsearch are refused', async () => {
  const engine = await openSearch({ corpora: folder });
  const build = engine.build({ file: 'corpus.jsonl', into: 'test', analysis: { k1: 1.2 } });
  await expect(build).rejects.toThrow("--k1 is a setting of Elasticsearch: LanceDB's cannot be");
});
