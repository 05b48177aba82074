import { expect, test } from 'vitest';
import { splitLines } from '../../stores/lines.js';

test('lines are whole wherever the chunks are cut', async () => {
  const bytes = Buffer.from('\ufeffone é\r\n\ntwo 東京\nthree');
  for (let size = 1; size <= bytes.length; size++) {
    const lines: [number, string][] = [];
    for await (const line of splitLines(chunksOf(bytes, size), 'corpus')) {
      lines.push([line.number, line.bytes.toString()]);
    }
    expect(lines).toEqual([
      [1, 'one é'],
      [3, 'two 東京'],
      [4, 'three'],
    ]);
  }
});

test('a line that never ends is refused before it fills the memory', async () => {
  const megabyte = Buffer.alloc(1024 * 1024, 'x');
  let taken = 0;
  async function* endless() {
    yield Buffer.from('first\n');
    for (; ; taken++) yield megabyte;
  }
  const read = async () => {
    for await (const { number } of splitLines(endless(), 'train.jsonl')) expect(number).toBe(1);
  };
  await expect(read()).rejects.toMatchObject({
    type: 'BadInput',
    message: expect.stringMatching(/^train\.jsonl, line 2, is longer than 64 MB: /),
  });
  expect(taken).toBe(64);
});

async function* chunksOf(bytes: Buffer, size: number) {
  for (let start = 0; start < bytes.length; start += size)
    yield bytes.subarray(start, start + size);
}
