/** Whole files: order, subsets, and what is refused. */

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createGzip } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { readDataset } from '../../../evaluation/dataset/read-dataset.js';
import { previewSnapshot } from '../../../evaluation/dataset/snapshots.js';
import { type Subset, subsetRule, takeSubset } from '../../../evaluation/dataset/subset.js';
import { NO_DATA, sharedData } from '../../retrieval/helpers.js';
import { allOf } from '../../support/contract.js';
import { temporaryFolder } from '../../support/folder.js';

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
});

async function fileOf(content: string | Buffer, name = 'data.jsonl'): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, content);
  return file;
}

async function idsOf(file: string, subset: Subset = {}): Promise<string[]> {
  const questions = takeSubset(() => readDataset(file), subset);
  return (await allOf(questions)).map(({ id }) => id);
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
    expect(await idsOf(file, { sample: 20, seed: 1 })).not.toEqual(sample);
    expect(await idsOf(file, { sample: 500 })).toHaveLength(200);
    const low = await idsOf(file, { limit: 50, sample: 20 });
    expect(low.every((id) => Number(id.slice(1)) < 50)).toBe(true);
  });

  test('a sample is drawn by the rule that is shown, of the ids alone', async () => {
    const subset = { sample: 7, seed: 5 };
    const turned = await fileOf(lines(200).split('\n').reverse().join('\n'), 'turned.jsonl');
    const key = (id: string) => createHash('sha256').update(`5|${id}`).digest('hex');
    const all = (await idsOf(turned)).toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
    const lowest = all.slice(0, 7).toSorted();
    expect((await idsOf(turned, subset)).toSorted()).toEqual(lowest);
    expect((await idsOf(await fileOf(lines(200)), subset)).toSorted()).toEqual(lowest);
    expect(subsetRule({ limit: 100, ...subset })).toBe(
      'of the first 100 questions, the 7 with the lowest sha256("5|" + id), in their order',
    );
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
  for (let i = 0; i < 1500; i++) {
    const record = { id: `q${i}`, question: 'Who?', answers: ['x'], passages: [{ text }] };
    if (!packed.write(`${JSON.stringify(record)}\n`)) await once(packed, 'drain');
  }
  packed.end();
  await once(written, 'close');
  const before = heapUsed();
  let most = 0;
  let count = 0;
  for await (const _ of takeSubset(() => readDataset(file), { sample: 750 })) {
    if (count++ % 250 === 0) most = Math.max(most, heapUsed());
  }
  expect(count).toBe(750);
  // The file is 66 MB, of which the sample is a half.
  expect(most - before).toBeLessThan(25 * 1024 * 1024);
});

/** Bytes, once what nobody needs any more is collected. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

test('reads all of the shared data', async ({ skip }) => {
  const data = sharedData();
  if (data === undefined) return skip(NO_DATA);
  for (const half of ['dev', 'train']) {
    for (const name of await readdir(path.join(data, half))) {
      const as = 'durable-rag';
      const records = readDataset(path.join(data, half, name), { as });
      const { questions, kinds } = await previewSnapshot(records, name);
      expect(questions, name).toBeGreaterThan(40);
      if (name.startsWith('qampari')) expect(kinds).toEqual({ list: questions });
      if (/^(?:asqa|eli5)/.test(name)) expect(kinds).toEqual({ long: questions });
    }
  }
});
