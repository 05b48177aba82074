import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { KeyValueStore, StoredEntry } from '../stores/key-value-store.js';
import { type ContractCase, caseWith } from './contract-case.js';

/**
 * The options of `keyValueStoreContract`: a function that opens the key-value store to be tested.
 */
export interface KeyValueStoreParts {
  /** Opens a namespace of the same store at each call, as another process would. */
  open(namespace: string): Promise<KeyValueStore>;
}

/**
 * Returns an array of test cases, each with `name` and `run`, for a key-value store; each writes
 * its own keys, and closes what it opens.
 */
export function keyValueStoreContract({ open }: KeyValueStoreParts): ContractCase[] {
  /** Opens the same store twice. */
  const opened = async () => {
    const [store, other] = await Promise.all([open('main'), open('main')]);
    return {
      store,
      other,
      close: async () => void (await Promise.all([store.close(), other.close()])),
    };
  };
  const testCase = (
    name: string,
    check: (store: KeyValueStore, own: string, other: KeyValueStore) => Promise<void>,
  ) => caseWith(opened, name, ({ store, other }) => check(store, randomUUID().slice(0, 8), other));

  return [
    testCase('returns the value that was set, and undefined for other keys', async (store, own) => {
      await store.set(own, 'value');
      assert.equal(await store.get(own), 'value');
      await store.set(own, '');
      assert.equal(await store.get(own), '');
      assert.equal(await store.get(`${own}-another`), undefined);
    }),

    testCase('reads immediately what another instance has written', async (store, own, other) => {
      for (const value of ['a', 'b', 'c']) {
        await store.set(own, value);
        assert.equal(await other.get(own), value);
      }
    }),

    testCase('accepts keys of 200 characters and values of megabytes', async (store, own) => {
      const key = own.padEnd(200, 'k');
      const value = 'Grüße, 世界 🌍 "\\\n'.repeat(200_000);
      await store.set(key, value);
      assert.ok((await store.get(key)) === value);
    }),

    testCase('accepts many writes at the same time', async (store, own) => {
      const keys = Array.from({ length: 200 }, (_, i) => `${own}-${i}`);
      await Promise.all(keys.map((key) => store.set(key, `${key}!`)));
      const read = await Promise.all(keys.map((key) => store.get(key)));
      assert.deepEqual(
        read,
        keys.map((key) => `${key}!`),
      );
    }),

    {
      name: 'separates namespaces, and leaves one open when another is closed',
      async run() {
        const own = randomUUID();
        const [one, two] = await Promise.all([open('one'), open('two')]);
        await Promise.all([one.set(own, '1'), two.set(own, '2')]);
        assert.deepEqual([await one.get(own), await two.get(own)], ['1', '2']);
        assert.equal((await allOf(two.list(own))).length, 1);
        await two.delete(own);
        await two.close();
        assert.equal(await one.get(own), '1');
        await one.set(own, '3');
        assert.equal(await one.get(own), '3');
        await one.close();
      },
    },

    testCase('sets an absent value once', async (store, own, other) => {
      assert.equal(await store.setIfAbsent(own, ''), true);
      assert.equal(await other.setIfAbsent(own, 'second'), false);
      assert.equal(await other.get(own), '');
      await other.delete(own);
      assert.equal(await store.setIfAbsent(own, 'third'), true);
      assert.equal(await store.get(own), 'third');
    }),

    testCase('lets one of many writers set an absent value', async (store, own, other) => {
      const values = Array.from({ length: 20 }, (_, i) => `value ${i}`);
      const done = await Promise.all(
        values.map((value, i) => (i % 2 === 0 ? store : other).setIfAbsent(own, value)),
      );
      assert.equal(done.filter(Boolean).length, 1);
      assert.equal(await store.get(own), values[done.indexOf(true)]);
    }),

    testCase('sets a value only if the current one is as expected', async (store, own, other) => {
      assert.equal(await store.compareAndSet(own, '', 'first'), false);
      assert.equal(await store.get(own), undefined);
      await store.set(own, 'Grüße');
      assert.equal(await other.compareAndSet(own, 'grüße', 'other'), false);
      assert.equal(await other.compareAndSet(own, 'Grüße ', 'other'), false);
      assert.equal(await other.compareAndSet(own, 'Grüße', ''), true);
      assert.equal(await store.compareAndSet(own, '', ''), true);
      assert.equal(await store.get(own), '');
    }),

    testCase('lets one of many writers change a value', async (store, own, other) => {
      await store.set(own, 'before');
      const values = Array.from({ length: 20 }, (_, i) => `value ${i}`);
      const done = await Promise.all(
        values.map((value, i) => (i % 2 === 0 ? store : other).compareAndSet(own, 'before', value)),
      );
      assert.equal(done.filter(Boolean).length, 1);
      assert.equal(await store.get(own), values[done.indexOf(true)]);
    }),

    testCase(
      'loses no addition of writers that read, add and compare',
      async (store, own, other) => {
        await store.set(own, '0');
        async function add(to: KeyValueStore): Promise<void> {
          for (let done = false; !done; ) {
            const before = (await to.get(own)) ?? '';
            done = await to.compareAndSet(own, before, String(Number(before) + 1));
          }
        }
        await Promise.all(Array.from({ length: 10 }, (_, i) => add(i % 2 === 0 ? store : other)));
        assert.equal(await store.get(own), '10');
      },
    ),

    testCase('removes deleted keys', async (store, own, other) => {
      await store.set(own, 'value');
      await other.delete(own);
      assert.equal(await store.get(own), undefined);
      assert.deepEqual(await allOf(store.list(own)), []);
      await store.delete(own);
    }),

    testCase('lists by prefix, with sizes and times', async (store, own, other) => {
      const before = Date.now();
      const values: Record<string, string> = {
        [`${own}:a`]: 'value',
        [`${own}:b`]: '',
        [`${own}:ü*[^"]`]: 'Grüße, 世界',
        [`${own}*`]: 'no pattern',
        [`${own}_`]: 'x',
        [`${own}:`]: 'x',
      };
      for (const [key, value] of Object.entries(values)) await store.set(key, value);
      await store.set(`${own.slice(1)}-not`, 'x');
      for (const prefix of [own, `${own}:`, `${own}*`, `${own}_`, `${own}:ü*`, `${own}:none`]) {
        const found = await allOf(other.list(prefix));
        const expected = Object.keys(values).filter((key) => key.startsWith(prefix));
        assert.deepEqual(found.map(({ key }) => key).sort(), expected.sort());
        for (const { key, bytes, writtenAt } of found) {
          assert.equal(bytes, Buffer.byteLength(values[key] ?? ''));
          // Allows a minute between clocks.
          assert.ok(Math.abs(writtenAt - before) < 60_000);
        }
      }
      assert.ok((await allOf(other.list(''))).some(({ key }) => key === `${own}:a`));
    }),

    testCase(
      'lists the time of the last of several writes, by whichever method',
      async (store, own) => {
        await store.setIfAbsent(own, 'first');
        const times = [await writtenAt(store, own)];
        for (const write of [
          () => store.set(own, 'second'),
          () => store.compareAndSet(own, 'second', 'third'),
        ]) {
          await new Promise((done) => setTimeout(done, 5));
          await write();
          times.push(await writtenAt(store, own));
        }
        assert.ok(times.every((time, i) => i === 0 || time > (times[i - 1] ?? 0)));
      },
    ),

    testCase('lists more than a page', async (store, own) => {
      const keys = Array.from({ length: 1203 }, (_, i) => `${own}-${i}`);
      await Promise.all(keys.map((key) => store.set(key, 'x')));
      const found = await allOf(store.list(`${own}-`));
      assert.deepEqual(found.map(({ key }) => key).sort(), keys.sort());
      assert.equal(found[0]?.bytes, 1);
    }),
  ];
}

async function allOf(entries: AsyncIterable<StoredEntry>): Promise<StoredEntry[]> {
  const all: StoredEntry[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
}

async function writtenAt(store: KeyValueStore, key: string): Promise<number> {
  const [entry] = await allOf(store.list(key));
  assert.ok(entry);
  return entry.writtenAt;
}
