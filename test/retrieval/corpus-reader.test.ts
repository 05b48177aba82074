/** What a corpus file may hold, and what each bad one is refused with. */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Passage } from '../../core/vocabulary.js';
import { openCorpusFile } from '../../retrieval/corpus-reader.js';
import { temporaryFolder } from '../support/folder.js';

async function read(content: string | Buffer, name = 'corpus.jsonl'): Promise<Passage[]> {
  const file = path.join(await temporaryFolder(), name);
  await writeFile(file, content);
  const passages: Passage[] = [];
  for await (const { passage } of await openCorpusFile(file)) passages.push(passage);
  return passages;
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
  expect(await read(gzipSync(good), 'plain.jsonl')).toHaveLength(1);
  expect(await read(good, 'packed.jsonl.gz')).toHaveLength(1);
});

describe('a bad file is refused with what to mend', () => {
  const cutOff = gzipSync(`${good}\n`.repeat(50)).subarray(0, -12);

  test.each<[string, string | Buffer, RegExp]>([
    ['not JSON', `${good}\nroot:x:0:0`, /^corpus\.jsonl line 2 is not JSON\. Expected \{"id"/],
    ['blank lines count', `${good}\n\n\nnonsense`, /^corpus\.jsonl line 4 is not JSON/],
    ['a list', '[{"id": "a"}]', /line 1 holds a list, not an object/],
    ['a string', '"a"', /line 1 holds a string, not an object/],
    ['no id', '{"text": "x"}', /line 1 has no field "id"\. Expected/],
    ['an empty id', '{"id": "", "text": "x"}', /line 1 has an empty "id"/],
    ['a list as id', '{"id": ["a"], "text": "x"}', /a list as "id"; expected a string or a number/],
    ['no text', '{"id": "a", "title": "T"}', /line 1 \(id a\) has no field "text"/],
    ['a number as text', '{"id": "a", "text": 5}', /has a number as "text"; expected a string/],
    ['an object as title', '{"id": "a", "title": {}, "text": "x"}', /has an object as "title"/],
    ['no text as contents', '{"id": "a", "contents": false}', /has a boolean as "contents"/],
    [
      'nothing to search',
      '{"id": "a", "text": " "}',
      /\(id a\) has an empty "text" and no "title"/,
    ],
    ['empty contents', '{"id": "a", "contents": ""}', /line 1 has empty "contents"/],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), /line 1 is not UTF-8 text/],
    ['an empty file', '', /^corpus\.jsonl holds no passages/],
    ['blank lines only', '\n \n', /^corpus\.jsonl holds no passages/],
    ['gzip that is cut off', cutOff, /is cut off: its gzip data ends early, after \d+ passages/],
    [
      'gzip that is damaged',
      flipped(gzipSync(good), -8),
      /is damaged: its gzip data cannot be read/,
    ],
  ])('%s', async (_, content, message) => {
    await expect(read(content)).rejects.toMatchObject({
      type: 'BadInput',
      message: expect.stringMatching(message),
    });
  });

  test('a file that does not exist', async () => {
    await expect(openCorpusFile('/nowhere/corpus.jsonl')).rejects.toMatchObject({
      type: 'BadInput',
      message: 'The corpus file /nowhere/corpus.jsonl does not exist.',
    });
  });

  test('a folder in place of a file', async () => {
    await expect(openCorpusFile(await temporaryFolder())).rejects.toMatchObject({
      type: 'BadInput',
      message: expect.stringContaining('cannot be read (EISDIR)'),
    });
  });
});

test('the hash is that of the unpacked lines', async () => {
  const folder = await temporaryFolder();
  const hashes = [];
  for (const content of [good, gzipSync(good)]) {
    const file = path.join(folder, 'corpus');
    await writeFile(file, content);
    const reader = await openCorpusFile(file);
    for await (const _ of reader);
    expect(reader.bytesRead).toBe(reader.totalBytes);
    hashes.push(reader.sha256());
  }
  const expected = createHash('sha256').update(good).digest('hex');
  expect(hashes).toEqual([expected, expected]);
});

/** One byte changed, counted from the end. */
function flipped(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[changed.length + at] = ~(changed.at(at) ?? 0);
  return changed;
}
