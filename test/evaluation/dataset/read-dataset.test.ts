/** Whole files: order, subsets, hashes, and what is refused. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createGzip, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type ReadOptions,
  readDataset,
  surveyDataset,
} from '../../../evaluation/dataset/read-dataset.js';
import { NO_DATA, sharedData, temporaryFolder } from '../../retrieval/helpers.js';

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
});

async function fileOf(content: string | Buffer, name = 'data.jsonl'): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, content);
  return file;
}

async function idsOf(file: string, options: ReadOptions = {}): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of readDataset(file, options)) ids.push(id);
  return ids;
}

const line = (id: number | string) => JSON.stringify({ id, question: 'Who?', answers: ['Bell'] });
const lines = (count: number) => Array.from({ length: count }, (_, i) => line(`q${i}`)).join('\n');

describe('subsets', () => {
  test('the first ones, and a sample in the order of the file', async () => {
    const file = await fileOf(lines(200));
    expect(await idsOf(file, { limit: 3 })).toEqual(['q0', 'q1', 'q2']);
    const sample = await idsOf(file, { sample: 20 });
    expect(sample).toHaveLength(20);
    const places = sample.map((id) => Number(id.slice(1)));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(await idsOf(file, { sample: 20 })).toEqual(sample);
    expect(await idsOf(file, { sample: 20, seed: 1 })).not.toEqual(sample);
    expect(await idsOf(file, { sample: 500 })).toHaveLength(200);
    const low = await idsOf(file, { limit: 50, sample: 20 });
    expect(low.every((id) => Number(id.slice(1)) < 50)).toBe(true);
  });

  test('a sample depends on the ids alone, and a larger one holds it', async () => {
    const file = await fileOf(lines(200));
    const turned = await fileOf(lines(200).split('\n').reverse().join('\n'), 'turned.jsonl');
    const sample = await idsOf(file, { sample: 20, seed: 3 });
    expect((await idsOf(turned, { sample: 20, seed: 3 })).toSorted()).toEqual(sample.toSorted());
    const larger = await idsOf(file, { sample: 40, seed: 3 });
    expect(larger).toEqual(expect.arrayContaining(sample));
  });

  test('the documented rule', async () => {
    const file = await fileOf(lines(200));
    const key = (id: string) => createHash('sha256').update(`5|${id}`).digest('hex');
    const all = (await idsOf(file)).toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
    const sample = await idsOf(file, { sample: 7, seed: 5 });
    expect(sample.toSorted()).toEqual(all.slice(0, 7).toSorted());
    expect((await surveyDataset(file, { limit: 100, sample: 7, seed: 5 })).rule).toBe(
      'of the first 100 questions of the file, the 7 with the lowest sha256("5|" + id), in the order of the file',
    );
  });

  test.each([{ limit: 0 }, { limit: 1.5 }, { sample: -1 }, { sample: NaN }])(
    'no %j',
    async (bad) => {
      const file = await fileOf(lines(3));
      await expect(idsOf(file, bad)).rejects.toThrow(RangeError);
      await expect(surveyDataset(file, bad)).rejects.toThrow(RangeError);
    },
  );
});

test('a survey hashes the content, packed or not, and checks every line', async () => {
  const content = `${lines(5)}\n${JSON.stringify({ id: 'b', question: 'Is it?', answer: 'yes' })}`;
  const plain = await surveyDataset(await fileOf(content), { limit: 2 });
  expect(plain).toEqual({
    sha256: createHash('sha256').update(content).digest('hex'),
    questions: 6,
    selected: 2,
    rule: 'the first 2 questions of the file',
    kinds: { span: 5, boolean: 1 },
  });
  const packed = await surveyDataset(await fileOf(gzipSync(content), 'data.gz'), { limit: 2 });
  expect(packed).toEqual(plain);
  const broken = await fileOf(`${content}\n{`);
  expect(await idsOf(broken, { limit: 2 })).toHaveLength(2);
  await expect(surveyDataset(broken, { limit: 2 })).rejects.toThrow(
    'data.jsonl line 7 is not JSON',
  );
});

describe('refuses, naming file and line', () => {
  test.each<[string, string | Buffer, string]>([
    ['nothing', '', 'data.jsonl holds no question: it is empty'],
    ['blank lines', '\n \n', 'holds no question'],
    ['no JSON', `${line('a')}\n\n{"id": `, 'data.jsonl line 3 is not JSON'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'line 1 is not in UTF-8'],
    [
      'a bad field',
      `${line('a')}\n{"id":"b","answers":["x"]}`,
      'line 2 is no question: it is not of',
    ],
    ['an id twice', `${line('1')}\n\n${line(1)}`, 'lines 1 and 3 have the same id'],
    [
      'the same question twice',
      '{"question":"Who?","answer":["x"]}\n{"answer":"x","question":"Who?"}',
      'lines 1 and 2 have the same id',
    ],
    ['a cut off file', gzipSync(lines(99)).subarray(0, 60), 'is cut off: its gzip data ends early'],
    [
      'damage',
      Buffer.concat([gzipSync(lines(9)).subarray(0, 20), Buffer.alloc(40, 7)]),
      'cannot be read (Z_DATA_ERROR)',
    ],
  ])('%s', async (_, content, message) => {
    const file = await fileOf(content);
    await expect(idsOf(file)).rejects.toMatchObject({ name: 'Failure', type: 'BadInput' });
    await expect(surveyDataset(file)).rejects.toThrow(message);
  });

  test('a file that is not there', async () => {
    await expect(idsOf(path.join(folder, 'none.jsonl'))).rejects.toThrow(
      'none.jsonl does not exist',
    );
    await expect(idsOf(folder)).rejects.toThrow('cannot be read (EISDIR)');
    const none = await surveyDataset(path.join(folder, 'a\0b')).catch((error: unknown) => error);
    expect(none).toMatchObject({
      type: 'BadInput',
      message: expect.stringContaining('holds a null byte'),
    });
  });
});

test('stops when it is told to', async () => {
  const file = await fileOf(lines(100));
  const stop = new AbortController();
  const read = async () => {
    for await (const { id } of readDataset(file, { signal: stop.signal })) {
      if (id === 'q3') stop.abort();
    }
  };
  await expect(read()).rejects.toThrow('aborted');
});

test('a large file does not fill the memory', async () => {
  const file = path.join(folder, 'large.jsonl.gz');
  const packed = createGzip({ level: 1 });
  const written = packed.pipe(createWriteStream(file));
  const text = 'The Nile flows north. '.repeat(2000);
  for (let i = 0; i < 4000; i++) {
    const record = { id: `q${i}`, question: 'Who?', answers: ['x'], passages: [{ text }] };
    if (!packed.write(`${JSON.stringify(record)}\n`)) await once(packed, 'drain');
  }
  packed.end();
  await once(written, 'close');
  let most = 0;
  let count = 0;
  for await (const _ of readDataset(file, { sample: 2000 })) {
    if (count++ % 100 === 0) most = Math.max(most, process.memoryUsage().heapUsed);
  }
  expect(count).toBe(2000);
  // The file is 176 MB.
  expect(most).toBeLessThan(150 * 1024 * 1024);
});

test('reads all of the shared data', async ({ skip }) => {
  const data = sharedData();
  if (data === undefined) return skip(NO_DATA);
  for (const half of ['dev', 'train']) {
    for (const name of await readdir(path.join(data, half))) {
      const as = 'durable-rag';
      const { questions, kinds } = await surveyDataset(path.join(data, half, name), { as });
      expect(questions, name).toBeGreaterThan(40);
      if (name.startsWith('qampari')) expect(kinds).toEqual({ list: questions });
      if (/^(?:asqa|eli5)/.test(name)) expect(kinds).toEqual({ long: questions });
    }
  }
});
