import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeAtomically } from '../../../stores/runs/atomic-file.js';
import { fileResults, safeFileName } from '../../../stores/runs/file-results.js';
import { temporaryFolder } from '../../support/folder.js';

const folder = await temporaryFolder();

it('keeps one result for each key, whatever the key', async () => {
  const store = fileResults<string>(join(folder, 'keys'));
  const keys = ['a', 'a/b', '../../etc/passwd', 'A', 'ä', '電話', 'x'.repeat(500), ' ', '.'];
  await Promise.all(keys.map((key) => store.put(key, `of ${key}`)));
  expect(await Promise.all(keys.map((key) => store.get(key)))).toEqual(
    keys.map((key) => `of ${key}`),
  );
  expect(await store.get('b')).toBeUndefined();
  await store.put('a', 'another');
  expect(await store.get('a')).toBe('another');
});

it('gives keys names that are safe and their own', () => {
  const names = ['nq:1', 'nq/1', 'nq-1'].map(safeFileName);
  expect(new Set(names).size).toBe(3);
  for (const name of names) expect(name).toMatch(/^nq-1-[0-9a-f]{12}$/);
});

it('never shows half a file, and keeps the old one when writing fails', async () => {
  const file = join(folder, 'atomic', 'file.txt');
  await writeAtomically(file, (write) => write('old'));
  const broken = writeAtomically(file, async (write) => {
    await write('half of the new');
    throw new Error('The machine fell over.');
  });
  await expect(broken).rejects.toThrow('fell over');
  expect(await readFile(file, 'utf8')).toBe('old');
  expect(await readdir(join(folder, 'atomic'))).toEqual(['file.txt']);
});
