/** The embedded store, alone and shared by processes that are killed. */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { KeyValueStore } from '../../stores/key-value-store.js';
import { openStore } from '../../stores/open-store.js';
import { keyValueStoreContract } from '../../testing/key-value-store-contract.js';
import { holdsTo } from '../support/contract.js';
import { temporaryFolder } from '../support/folder.js';
import { byName } from '../support/stores.js';

const root = await temporaryFolder();
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

async function startChild(folder: string): Promise<ChildProcess> {
  const child = fork(new URL('./store-child.mjs', import.meta.url), [folder, 'shared']);
  children.push(child);
  await reply(child);
  return child;
}

const reply = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`the child ended with ${code}`)));
  });

function tell(child: ChildProcess, message: object): Promise<unknown> {
  const answer = reply(child);
  child.send(message);
  return answer;
}

describe('in memory', () => {
  holdsTo(keyValueStoreContract({ open: byName((store) => store) }));
});

describe('lmdb', () => {
  const contract = join(root, 'contract');
  holdsTo(keyValueStoreContract({ open: (namespace) => openStore(contract, namespace) }));

  test.each([
    ['file:', 'by-file'],
    ['file://', 'by-file-url'],
    ['lmdb:', 'by-lmdb'],
    ['lmdb://', 'by-lmdb-url'],
    ['', 'with.dot'],
  ])('opens %s a folder', async (prefix, name) => {
    const folder = join(root, name, 'deeper');
    const store = await openStore(prefix + folder, 'main');
    await store.set('key', name);
    await store.close();
    const again = await openStore(folder, 'main');
    expect(await again.get('key')).toBe(name);
    await again.close();
  });

  test('is read and written by two processes at once', async () => {
    const folder = join(root, 'shared');
    const [one, two] = await Promise.all([startChild(folder), startChild(folder)]);
    // What one writes the other reads right after it.
    for (const turn of ['a', 'b', 'c']) {
      await tell(one, { set: [['key', turn]] });
      expect(await tell(two, { get: 'key' })).toEqual({ value: turn });
    }

    // One of them sets what is absent, and one changes what is there.
    const race = (message: (n: number) => object) =>
      Promise.all([one, two].map((child, n) => tell(child, message(n))));
    for (let round = 0; round < 20; round++) {
      const key = `round-${round}`;
      const set = await race((n) => ({ setIfAbsent: [key, `first of ${n}`] }));
      expect(set).toContainEqual({ value: true });
      expect(set).toContainEqual({ value: false });
      const { value } = (await tell(one, { get: key })) as { value: string };
      const changed = await race((n) => ({ compareAndSet: [key, value, `second of ${n}`] }));
      expect(changed).toContainEqual({ value: true });
      expect(changed).toContainEqual({ value: false });
    }

    // Megabytes of both are there.
    const value = 'x'.repeat(50_000);
    const entries = (n: number) => Array.from({ length: 100 }, (_, i) => [`${n}-${i}`, value + i]);
    await race((n) => ({ set: entries(n) }));
    const store = await openStore(folder, 'shared');
    for (const [key = '', written] of [...entries(0), ...entries(1)]) {
      expect((await store.get(key)) === written).toBe(true);
    }

    // So is what was set by one that is killed at once, which holds no lock then.
    await tell(one, { set: [['last', value]] });
    one.kill('SIGKILL');
    expect(await store.get('last')).toBe(value);
    await store.set('survivor', 'here');
    expect(await tell(two, { get: 'survivor' })).toEqual({ value: 'here' });
    await store.close();
  });

  const writes: [string, (store: KeyValueStore) => Promise<unknown>][] = [
    ['set', (store) => store.set('key', 'other')],
    ['setIfAbsent', (store) => store.setIfAbsent('absent', 'value')],
    ['compareAndSet', (store) => store.compareAndSet('key', 'value', 'other')],
    ['delete', (store) => store.delete('key')],
  ];
  const ways: [string, (folder: string) => Promise<unknown>][] = [
    ['deleted', async (folder) => rmSync(folder, { recursive: true })],
    [
      'made anew',
      async (folder) => {
        rmSync(folder, { recursive: true });
        mkdirSync(folder);
        await (await openStore(folder, 'other')).set('key', 'value');
      },
    ],
    ['without its lock', async (folder) => rmSync(join(folder, 'lock.mdb'))],
  ];
  test.for(writes)('%s writes no more to a folder that is another one', async ([, write]) => {
    for (const [way, replace] of ways) {
      const folder = join(mkdtempSync(join(root, 'gone-')), 'store');
      const store = await openStore(folder, 'main');
      await store.set('key', 'value');
      await replace(folder);
      const error = await write(store).catch((thrown: unknown) => thrown);
      expect(error, way).toMatchObject({ type: 'Connection', retryable: true });
      expect(String(error), way).toContain(folder);
      expect(String(error), way).toContain('restart');
      await store.close();
    }
  });

  test('goes on where its folder is back', async () => {
    const folder = join(root, 'moved');
    const store = await openStore(folder, 'main');
    renameSync(folder, `${folder}-away`);
    await expect(store.set('key', 'value')).rejects.toThrow('moved');
    renameSync(`${folder}-away`, folder);
    await store.set('key', 'value');
    expect(await store.get('key')).toBe('value');
    await store.close();
  });
});

describe('what cannot be opened', () => {
  test('a file in place of the folder', async () => {
    const file = join(root, 'a-file');
    writeFileSync(file, 'not a store');
    await expect(openStore(file, 'main')).rejects.toThrow(
      /a-file cannot be used.*DURABLE_RAG_STORE/,
    );
  });

  test('a folder whose data is damaged', async () => {
    const folder = mkdtempSync(join(root, 'damaged-'));
    writeFileSync(join(folder, 'data.mdb'), 'garbage'.repeat(10_000));
    await expect(openStore(folder, 'main')).rejects.toThrow(
      /data.mdb is damaged.*DURABLE_RAG_STORE/,
    );
  });

  test.each([
    ['mysql://me:secret@host/db', /no store for mysql/],
    ['redis://me:secret@host:port', /redis URL of the store cannot be read/],
    // A password whose special characters are not percent-encoded.
    ['redis://:secret%zz@host', /redis URL of the store cannot be read: write special characters/],
    ['postgres://me:12/secret@host:5432/db', /postgres URL of the store cannot be read: write/],
    ['postgres://me:1#secret@host/db', /postgres URL of the store cannot be read: write/],
    ['postgres://me:%ffsecret@host/db', /postgres URL of the store cannot be read: write/],
    ['', /no folder/],
  ])('%s', async (url, message) => {
    const error = await openStore(url, 'main').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ type: 'BadInput', message: expect.stringMatching(message) });
    expect(String(error)).not.toContain('secret');
  });

  test('a namespace that could reach into another', async () => {
    await expect(openStore(root, 'a:b')).rejects.toThrow(/namespace/);
  });
});
