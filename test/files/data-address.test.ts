import { expect, it } from 'vitest';
import { isDataAddress, readDataAddress } from '../../files/data-address.js';
import { isPrivate } from '../../files/public-address.js';

const HUB = 'https://huggingface.co/datasets';

it.each([
  ['hf:ann/birds/dev.jsonl', `${HUB}/ann/birds/resolve/main/dev.jsonl`],
  ['hf:ann/birds/a b/ü#.csv@v1.0', `${HUB}/ann/birds/resolve/v1.0/a%20b/%C3%BC%23.csv`],
  [
    'hf:ann/birds/0000.parquet@refs/convert/parquet',
    `${HUB}/ann/birds/resolve/refs%2Fconvert%2Fparquet/0000.parquet`,
  ],
  ['flashrag:nq/test', `${HUB}/RUC-NLPIR/FlashRAG_datasets/resolve/main/nq/test.jsonl`],
  [
    'flashrag:2wikimultihopqa/dev@abc',
    `${HUB}/RUC-NLPIR/FlashRAG_datasets/resolve/abc/2wikimultihopqa/dev.jsonl`,
  ],
  [
    'flashrag:wiki18_100w',
    `${HUB}/RUC-NLPIR/FlashRAG_datasets/resolve/main/retrieval-corpus/wiki18_100w.zip`,
  ],
  ['https://files.example/a/b.jsonl.gz#top', 'https://files.example/a/b.jsonl.gz'],
  ['http://127.0.0.1:8000/b.csv', 'http://127.0.0.1:8000/b.csv'],
])('%s is %s', (named, url) => {
  expect(isDataAddress(named)).toBe(true);
  expect(readDataAddress(named).url).toBe(url);
});

it('asks another hub for its files', () => {
  expect(readDataAddress('hf:ann/birds/x.csv', 'https://hub.example/').url).toBe(
    'https://hub.example/datasets/ann/birds/resolve/main/x.csv',
  );
});

it('keeps no secret of an address', () => {
  const { shown } = readDataAddress('https://files.example/x.csv?token=abcdef');
  expect(shown).toBe('https://files.example/x.csv?...');
});

it.each(['questions.jsonl', './a:b.csv', '/data/hf/x.jsonl', 'stored:nq', 'C:\\x.csv'])(
  'takes %s for no address',
  (named) => expect(isDataAddress(named)).toBe(false),
);

it.each([
  ['127.0.0.1', true],
  ['10.1.2.3', true],
  ['172.31.0.1', true],
  ['172.32.0.1', false],
  ['192.168.1.1', true],
  ['169.254.169.254', true],
  ['100.64.0.1', true],
  ['0.0.0.0', true],
  ['255.255.255.255', true],
  ['8.8.8.8', false],
  ['::1', true],
  ['::', true],
  ['fd00::1', true],
  ['fe80::1', true],
  ['::ffff:10.0.0.1', true],
  ['::ffff:7f00:1', true],
  ['2606:4700::1', false],
  ['::ffff:8.8.8.8', false],
])('%s is private: %s', (address, expected) => expect(isPrivate(address)).toBe(expected));
