/** What a corpus file may hold, and what each bad one is refused with. */

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import type { Passage } from '../../core/vocabulary.js';
import { openCorpusFile } from '../../retrieval/corpus-reader.js';
import { parseCorpusFields } from '../../retrieval/corpus-record.js';
import { packageRoot } from '../../stores/package-root.js';
import { allOf } from '../support/contract.js';
import { temporaryFolder } from '../support/folder.js';

async function readAs(content: string | Buffer, fields?: string, name = 'corpus.jsonl') {
  const file = path.join(await temporaryFolder(), name);
  await writeFile(file, content);
  const mapping = fields === undefined ? undefined : parseCorpusFields(fields);
  const reader = await openCorpusFile(file, { fields: mapping });
  return { reader, entries: await allOf(reader) };
}

async function read(content: string | Buffer, fields?: string, name?: string): Promise<Passage[]> {
  const { entries } = await readAs(content, fields, name);
  return entries.map(({ passage }) => passage);
}

const good = '{"id": "a", "title": "T", "text": "x"}';
const next = '{"id":"b","text":"y"}';
const packed = (...parts: string[]) => Buffer.concat(parts.map((part) => gzipSync(part)));
const first: Passage = { id: 'a', title: 'T', text: 'x' };
const lines: Passage = { ...first, text: 'x\ny' };
const second: Passage = { id: 'b', title: '', text: 'y' };
const untitled = (text: string): Passage => ({ id: 'a', title: '', text });

test.each<[string, string | Buffer, Passage[]]>([
  ['id, title, text', good, [first]],
  ['_id', '{"_id": "a", "text": "x"}', [untitled('x')]],
  ['a number as id', '{"id": 7, "text": "x"}', [{ ...untitled('x'), id: '7' }]],
  ['a title that is null', '{"id": "a", "title": null, "text": "x"}', [untitled('x')]],
  ['a title and no words', '{"id": "a", "title": "T", "text": ""}', [{ ...first, text: '' }]],
  ['unknown fields', '{"id": "a", "text": "x", "sets": ["nq"], "score": 1}', [untitled('x')]],
  ['FlashRAG, in quotes', '{"id": "a", "contents": "\\"T\\"\\nx\\ny"}', [lines]],
  ['FlashRAG, bare title', '{"id": "a", "contents": "T\\nx"}', [first]],
  ['FlashRAG, no title', '{"id": "a", "contents": "only text"}', [untitled('only text')]],
  ['line ends of Windows, a mark', `\ufeff${good}\r\n\r\n  \r\n${next}\r\n`, [first, second]],
  ['a line separator', '{"id": "a", "text": "x\u2028y"}', [untitled('x\u2028y')]],
  ['half a surrogate pair', '{"id": "a", "text": "x\\ud800"}', [untitled('x\ufffd')]],
  ['gzip', gzipSync(`${good}\n`), [first]],
  ['gzip in two members', packed(`${good}\n`, next), [first, second]],
])('reads %s', async (_, content, expected) => {
  expect(await read(content)).toEqual(expected);
});

test('gzip is told by its content, not by its name', async () => {
  expect(await read(gzipSync(good), undefined, 'plain.jsonl')).toHaveLength(1);
  expect(await read(good, undefined, 'packed.jsonl.gz')).toHaveLength(1);
});

/** Two passages, as every format below writes them. */
const two = [
  { id: '1', title: 'Ada', text: 'She said "no", in 1801.' },
  { id: '2', title: 'Bo', text: '[1] A list, it seems.' },
];
const [ada, bo] = two as [Passage, Passage];
const dpr = '1\t"She said ""no"", in 1801."\tAda\n2\t[1] A list, it seems.\tBo\n';
const parquet = (...columnData: Parameters<typeof parquetWriteBuffer>[0]['columnData']) =>
  Buffer.from(parquetWriteBuffer({ columnData }));
const columnOf = (name: keyof Passage, as: string = name) => ({
  name: as,
  data: two.map((one) => one[name]),
});

describe('every format gives the same passages, plain and packed', () => {
  test.each<[string, string | Buffer, string, string?]>([
    ['a JSON list', JSON.stringify(two), 'JSON'],
    ['a list in an object', JSON.stringify({ documents: two }), 'JSON'],
    [
      'a map by id',
      JSON.stringify({ 1: { ...ada, id: undefined }, 2: { ...bo, id: undefined } }),
      'JSON',
    ],
    ["DPR's TSV", `id\ttext\ttitle\n${dpr}`, 'TSV'],
    ["DPR's TSV without its header", dpr, 'TSV without a header'],
    ['TSV whose columns are numbered', dpr, 'TSV without a header', 'id=1,title=3,text=2'],
    [
      'CSV',
      'id,title,text\n1,Ada,"She said ""no"", in 1801."\n2,Bo,"[1] A list, it seems."\n',
      'CSV',
    ],
    [
      'CSV without a header',
      '1,Ada,"She said ""no"", in 1801."\n2,Bo,"[1] A list, it seems."\n',
      'CSV without a header',
      'id=1,title=2,text=3',
    ],
    ['Parquet', parquet(columnOf('id'), columnOf('title'), columnOf('text')), 'Parquet'],
    [
      'Parquet with other names, and columns that are not read',
      parquet({ name: 'n', data: [1, 2] }, columnOf('id', 'docid'), columnOf('title', 'head'), {
        name: 'body',
        data: two.map(({ text }) => ({ en: text })),
      }),
      'Parquet',
      'id=docid,title=head,text=body.en',
    ],
    [
      'a list of sentences, in JSON',
      JSON.stringify(two.map(({ text, ...one }) => ({ ...one, said: text.split(', ') }))),
      'JSON',
      'id=id,title=title,text=said[]',
    ],
    [
      'a list of sentences, in a cell',
      `id,title,said\n1,Ada,"['She said ""no""', 'in 1801.']"\n2,Bo,"['[1] A list', 'it seems.']"\n`,
      'CSV',
      'id=id,title=title,text=said[]',
    ],
  ])('%s', async (_, content, format, fields) => {
    const isList = fields?.endsWith('said[]') ?? false;
    const expected = two.map((one) =>
      isList ? { ...one, text: one.text.replace(', ', '\n') } : one,
    );
    for (const bytes of [content, gzipSync(content)]) {
      const { reader, entries } = await readAs(bytes, fields, 'corpus.data');
      expect(entries.map(({ passage }) => passage)).toEqual(expected);
      expect(reader.format).toBe(format);
    }
  });

  test('contents have the title in their first line, whatever they are called', async () => {
    const content = JSON.stringify([{ key: 'a', body: 'T\nx' }]);
    expect(await read(content, 'id=key,contents=body')).toEqual([first]);
  });

  test('an MS MARCO TSV has no titles', async () => {
    expect(await read('7\tWhat it is, in short.\n8\t"Quoted" or not.\n')).toEqual([
      { id: '7', title: '', text: 'What it is, in short.' },
      { id: '8', title: '', text: '"Quoted" or not.' },
    ]);
  });
});

test('passages of one document get a number behind its id, which is kept', async () => {
  const ids = ['a', 'b', 'a', 'a-2', 'a', 'b', 'a-2'];
  const { reader, entries } = await readAs(JSON.stringify(ids.map((id) => ({ id, text: 'x' }))));
  expect(entries.map(({ passage, document }) => [passage.id, document])).toEqual([
    ['a', undefined],
    ['b', undefined],
    ['a-2', 'a'],
    // It has the number of another, so it gets one too.
    ['a-2-2', 'a-2'],
    ['a-3', 'a'],
    ['b-2', 'b'],
    ['a-2-3', 'a-2'],
  ]);
  expect(reader.repeatedIds).toBe(5);
  const many = Array.from({ length: 20_000 }, (_, i) => ({ id: `d${i % 3000}`, text: 'x' }));
  const passages = await read(JSON.stringify(many));
  expect(new Set(passages.map(({ id }) => id)).size).toBe(many.length);
});

test('the hash is that of the unpacked lines', async () => {
  const folder = await temporaryFolder();
  const hashes = [];
  for (const content of [good, gzipSync(good)]) {
    const file = path.join(folder, 'corpus');
    await writeFile(file, content);
    const reader = await openCorpusFile(file);
    await allOf(reader);
    expect(reader.bytesRead).toBe(reader.totalBytes);
    hashes.push(reader.sha256());
  }
  const expected = createHash('sha256').update(good).digest('hex');
  expect(hashes).toEqual([expected, expected]);
});

test('memory does not grow with the file', async () => {
  // Each reading has a process of its own; twenty times the lines may take half as much again.
  const folder = await temporaryFolder();
  const text = 'river stone "bridge" winter music north '.repeat(16);
  const most = async (lines: number): Promise<number> => {
    const file = path.join(folder, `${lines}.tsv`);
    const rows = Array.from({ length: 1000 }, (_, i) => `doc-${i}\t${text}\tTitle ${i}\n`);
    await writeFile(file, 'id\ttext\ttitle\n');
    for (let n = 0; n < lines; n += rows.length) await appendFile(file, rows.join(''));
    const args = ['--input-type=module', '-e', READS, file];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: packageRoot() });
    const { passages, kibibytes } = JSON.parse(stdout);
    expect(passages).toBe(lines);
    return kibibytes;
  };
  expect((await most(200_000)) / (await most(10_000))).toBeLessThan(1.5);
});

const READS = `
  import { openCorpusFile } from './dist/retrieval/corpus-reader.js';
  let passages = 0;
  for await (const _ of await openCorpusFile(process.argv[1])) passages++;
  console.log(JSON.stringify({ passages, kibibytes: process.resourceUsage().maxRSS }));`;
