/** Files of records: what each format gives, and the sentence that each broken file is refused with. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
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
