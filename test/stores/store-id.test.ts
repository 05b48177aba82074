/** A store is told by an id that lies in it. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MemoryStore } from '../../stores/memory-store.js';
import { folderId, storeId } from '../../stores/store-id.js';
import { otherStores } from '../../workflows/queue/store-ids.js';
import { temporaryFolder } from '../support/folder.js';

test('a store has one id, whoever asks first', async () => {
  const store = new MemoryStore();
  const ids = await Promise.all([storeId(store), storeId(store), storeId(store)]);
  expect(new Set(ids).size).toBe(1);
  expect(await storeId(store)).toBe(ids[0]);
  expect(await storeId(new MemoryStore())).not.toBe(ids[0]);
});

test('so has a folder, which need not be there yet; where none can be written there is none', async () => {
  const home = await temporaryFolder();
  const id = await folderId(join(home, 'runs'));
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(await folderId(join(home, 'runs'))).toBe(id);
  expect(await folderId(join(home, 'others'))).not.toBe(id);
  await writeFile(join(home, 'file'), '');
  expect(await folderId(join(home, 'file', 'below'))).toBeUndefined();
});

test('several that ask for the id of a new folder at once are told the same one', async () => {
  const home = await temporaryFolder();
  const ids = await Promise.all(Array.from({ length: 20 }, () => folderId(home)));
  expect(new Set(ids).size).toBe(1);
  expect(await readdir(home)).toEqual(['.store-id']);
  expect(await readFile(join(home, '.store-id'), 'utf8')).toBe(ids[0]);
});

test('stores differ where both are known and are not the same', () => {
  const there = { responses: 'a', results: 'b', corpora: 'c' };
  expect(otherStores(there, there)).toEqual([]);
  expect(otherStores(there, { responses: 'a', passages: 'x' })).toEqual([]);
  expect(otherStores(there, { ...there, results: 'z' })).toEqual([
    'results (DURABLE_RAG_RESULTS: store, or a folder that all machines mount)',
  ]);
});
