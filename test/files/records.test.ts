/** Files of records: what each format gives, and the sentence that each broken file is refused with. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { sha256Of } from '../../core/sha256.js';
import type { TableOptions } from '../../files/records/delimited.js';
import { readRecords } from '../../files/records/read-records.js';
import { SourceFile } from '../../files/records/source-file.js';
import { allOf } from '../support/contract.js';
import { temporaryFolder } from '../support/folder.js';

const KIND = {
  noun: 'corpus',
  accepted: 'give a table or JSON',
  otherwise: '',
  lists: new Set(['data']),
};

async function sourceOf(content: string | Buffer, name: string): Promise<SourceFile> {
  const file = path.join(await temporaryFolder(), name);
  await writeFile(file, content);
  return new SourceFile(file, KIND);
}

async function read(
  content: string | Buffer,
  table?: TableOptions,
  name = 'x',
): Promise<unknown[]> {
  const entries = await allOf(readRecords(await sourceOf(content, name), table));
  return entries.map(({ value }) => Object.values(Object(value)));
}

const texts: TableOptions = { asTexts: true };

describe('TSV, whoever wrote its quotation marks', () => {
  const header = 'id\ttext\ttitle';
  test.each<[string, string, string[][]]>([
    ["DPR's, quoted", '1\t"Ada said ""no""."\tAda', [['1', 'Ada said "no".', 'Ada']]],
    ['a quoted tab', '1\t"a\tb"\tAda', [['1', 'a\tb', 'Ada']]],
    ['an empty quoted cell', '1\t""\tAda', [['1', '', 'Ada']]],
    ['cells that are empty at both ends', '\ttext\t', [['', 'text', '']]],
    [
      'a quoted text over lines, in the middle',
      '1\t"a\nb\n\nc"\tAda\n2\tx\ty',
      [
        ['1', 'a\nb\nc', 'Ada'],
        ['2', 'x', 'y'],
      ],
    ],
    [
      'a quoted text over lines, at the end of its row',
      '1\tAda\t"a\nb"\n2\tx\ty',
      [
        ['1', 'Ada', 'a\nb'],
        ['2', 'x', 'y'],
      ],
    ],
    [
      "MS MARCO's: a mark that opens nothing does not swallow the next line",
      '1\t"Hello there\tX\n2\tsaid "Bo", twice\tY\n3\t"so"\tZ',
      [
        ['1', '"Hello there', 'X'],
        ['2', 'said "Bo", twice', 'Y'],
        ['3', 'so', 'Z'],
      ],
    ],
    [
      'such a mark in the last column, and in the last line',
      '1\tX\t"Hello\n2\tY\tfoo "bar"\n3\tZ\t"end',
      [
        ['1', 'X', '"Hello'],
        ['2', 'Y', 'foo "bar"'],
        ['3', 'Z', '"end'],
      ],
    ],
    [
      'a cell that begins and ends with another quotation',
      '1\t"a" or "b"\tX',
      [['1', '"a" or "b"', 'X']],
    ],
  ])('%s', async (_, rows, expected) => {
    for (const end of ['', '\n']) {
      expect(await read(`${header}\n${rows}${end}`, texts)).toEqual(expected);
    }
  });

  test('line ends of Windows, and a byte order mark', async () => {
    expect(await read(`\uFEFF${header}\r\n1\tx\tAda\r\n`, texts)).toEqual([['1', 'x', 'Ada']]);
  });

  test('a table whose first row is a record names its columns by number', async () => {
    const headless = (first: readonly string[]) => first.map((_, i) => `c${i}`);
    const source = await sourceOf('1\tx\tAda\n', 'x.tsv');
    expect((await allOf(readRecords(source, { headless }))).map(({ value }) => value)).toEqual([
      { c0: '1', c1: 'x', c2: 'Ada' },
    ]);
    expect(source.format).toBe('TSV without a header');
  });
});

test('Parquet is read in parts of its row groups, and only the columns that are wanted', async () => {
  const data = Array.from({ length: 5000 }, (_, i) => `p${i}`);
  const columnData = [
    { name: 'id', data },
    { name: 'vector', data: data.map(() => [1, 2]) },
    { name: 'text', data: data.map((id) => `text of ${id}`) },
  ];
  const bytes = Buffer.from(parquetWriteBuffer({ columnData, rowGroupSize: 2600 }));
  for (const content of [bytes, gzipSync(bytes)]) {
    const rows = await read(content, {
      columns: (names) => {
        expect(names).toEqual(['id', 'vector', 'text']);
        return ['id', 'text'];
      },
    });
    expect(rows).toEqual(data.map((id) => [id, `text of ${id}`]));
  }
});

describe('what is broken is named, with its line', () => {
  const table = 'id,text\n1,fine\n';
  const tabs = 'id\ttext\n1\tfine\n';
  const many = Array.from({ length: 400 }, (_, i) => ({ id: i, text: 'x'.repeat(20) }));
  const utf16 = (text: string) => Buffer.from(text, 'utf16le');
  const latin = (text: string) => Buffer.from(text, 'latin1');
  const rows = Array.from({ length: 20_000 }, (_, i) => `${i},${sha256Of(`${i}`)}\n`);
  const noise = `id,text\n${rows.join('')}`;
  const long = Buffer.alloc(70 * 1024 * 1024, 'x');
  test.each<[string, string | Buffer, string]>([
    [
      'CSV: a mark that is never closed',
      `${table}2,"open\n3,x\n4,y\n`,
      'the row that begins at line 3 opens a quotation mark that is never closed',
    ],
    [
      'CSV: a mark that the next one closes',
      `${table}2,"open\n3,"x"\n`,
      'the row that begins at line 3 has a quotation mark, at line 4, that neither opens nor closes a cell',
    ],
    [
      'CSV: two rows taken for one',
      `${table}2,"open\n3,x",y,z\n`,
      'lines 3 to 4, one row, have 4 cells in place of 2, as line 1 has them: is a quotation mark',
    ],
    ['CSV: a comma that is not quoted', `${table}2,one, two\n`, 'line 3 has 3 cells in place of 2'],
    ['TSV: a cell too few', `${tabs}2\n`, 'line 3 has 1 cells in place of 2'],
    [
      'TSV: a mark that is never closed',
      'a\tb\tc\n1\t"x\n2\n',
      'the row that begins at line 2 opens a quotation mark that is never closed',
    ],
    ['CSV in Latin-1', latin(`${table}2,Andr\u00e9\n`), 'line 3 is not in UTF-8: convert it'],
    ['TSV in Latin-1', latin(`${tabs}2\tAndr\u00e9\n`), 'line 3 is not in UTF-8: convert it'],
    [
      'JSON Lines in Latin-1',
      latin('{"id": 1}\n{"id": "\u00e9"}\n'),
      'line 2 is not in UTF-8: convert it',
    ],
    [
      'a JSON list in Latin-1',
      latin('[{"id": 1},\n{"id": "\u00e9"}]'),
      'line 2 is not in UTF-8: convert it',
    ],
    [
      'CSV in UTF-16 as Excel saves it',
      utf16(`\ufeff${table}`),
      'is in UTF-16, not in UTF-8: convert it, as by iconv -f utf-16 -t',
    ],
    [
      'TSV in UTF-16 with the mark of big endian',
      utf16(`\ufeff${tabs}`).swap16(),
      'iconv -f utf-16 -t',
    ],
    ['CSV in UTF-16 without a mark', utf16(table), 'iconv -f utf-16le -t'],
    ['JSON Lines in UTF-16', utf16('\ufeff{"id": 1}\n'), 'is in UTF-16, not in UTF-8'],
    ['JSON Lines in UTF-16 without a mark', utf16('{"id": 1}\n'), 'iconv -f utf-16le -t'],
    ['a JSON list in UTF-16', utf16('[{"id": 1}]').swap16(), 'iconv -f utf-16be -t'],
    [
      'a character that the end of the file cuts',
      Buffer.from(`${table}2,\u00e9`).subarray(0, -1),
      'line 3 is not in UTF-8',
    ],
    [
      'a JSON list that ends early',
      JSON.stringify(many, null, 1).slice(0, -9),
      'is not JSON after record 399, at line 1',
    ],
    [
      'a JSON list with a fault',
      '[{"id": 1},\n{"id": 2},\n{"id": oops}]',
      'is not JSON after record 2, at line 3.',
    ],
    [
      'gzip that ends early',
      gzipSync(noise).subarray(0, -2000),
      'is cut off: its gzip data ends early, after line ',
    ],
    [
      'JSON Lines without line ends',
      Buffer.concat([Buffer.from('{"id": "'), long]),
      'line 1, is longer than 64 MB',
    ],
    [
      'CSV without line ends',
      Buffer.concat([Buffer.from('id,text\n1,'), long]),
      'the row that begins at line 2 has no end in 64 MB',
    ],
    [
      'TSV without line ends',
      Buffer.concat([Buffer.from('id\ttext\n1\t'), long]),
      'line 2, is longer than 64 MB',
    ],
    [
      'a list with one record without end',
      Buffer.concat([Buffer.from('[{"id": "'), long]),
      'has no end of a record in 64 MB after record 0',
    ],
    ['text without any form', long, 'is in no format that is read: give a table or JSON'],
    [
      'Parquet that is cut off',
      Buffer.from(parquetWriteBuffer({ columnData: [{ name: 'id', data: ['a'] }] })).subarray(
        0,
        -6,
      ),
      'cannot be read as Parquet',
    ],
  ])('%s', async (_, content, message) => {
    const refused = read(content, texts, 'broken.data');
    await expect(refused).rejects.toMatchObject({
      name: 'Failure',
      type: 'BadInput',
      message: expect.stringContaining(message),
    });
    await expect(refused).rejects.toThrow(/^The corpus broken\.data/);
  });
});
