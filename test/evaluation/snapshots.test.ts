/** Data sets in the store: whole or not at all, once, by name, and away when nobody needs them. */
import { expect, it } from 'vitest';
import { readGiven } from '../../evaluation/dataset/read-dataset.js';
import { snapshotRef, snapshots } from '../../evaluation/dataset/snapshots.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { allOf } from '../support/contract.js';
import { keysOf } from '../support/stores.js';

const line = (i: number, more: object = {}) => ({
  id: `q${i}`,
  question: `Who is number ${i}?`,
  answers: ['Bell'],
  ...more,
});
const lines = (count: number, more?: object) =>
  Array.from({ length: count }, (_, i) => line(i, more));
const given = (values: readonly unknown[]) => () => readGiven(values, { scorable: true });

const soon = () => Date.now() + 1000;
const YESTERDAY = Date.now() - 2 * 86_400_000;

/** A store whose writes are of two days ago. */
function oldStore(): MemoryStore {
  const store = new MemoryStore();
  const list = store.list.bind(store);
  store.list = async function* (prefix) {
    for await (const entry of list(prefix)) yield { ...entry, writtenAt: YESTERDAY };
  };
  return store;
}

it('give back what was put, over as many pages as it takes', async () => {
  const store = new MemoryStore();
  const kept = snapshots(store);
  const text = 'A passage of some words. '.repeat(2000);
  const values = lines(100, { passages: [{ title: 'T', text }] });
  const stored = await kept.put(given(values), 'nq.jsonl');
  expect(stored).toMatchObject({ file: 'nq.jsonl', questions: 100, kinds: { span: 100 } });
  expect(await allOf(kept.read(stored.sha256))).toEqual(await allOf(given(values)()));
  const pages = (await keysOf(store)).filter((key) => key.startsWith('page:'));
  expect(pages.length).toBeGreaterThan(3);
  for (const page of pages) expect((await store.get(page))?.length).toBeLessThan(1_100_000);
});

it('are one for equal questions, and another for others', async () => {
  const store = new MemoryStore();
  const kept = snapshots(store);
  const first = await kept.put(given(lines(3)), 'a.jsonl');
  const keys = await keysOf(store);
  const reordered = lines(3).map(({ id, ...rest }) => ({ ...rest, id }));
  expect(await kept.put(given(reordered), 'b.csv')).toEqual(first);
  expect(await keysOf(store)).toEqual(keys);
  const other = await kept.put(given(lines(4)), 'a.jsonl');
  expect(other.sha256).not.toBe(first.sha256);
  expect(await kept.list()).toHaveLength(2);
});

it('are found by a name, which leads to the newest until it is removed', async () => {
  const kept = snapshots(new MemoryStore());
  const one = await kept.put(given(lines(1)), 'nq.jsonl');
  await kept.name('nq', one.sha256);
  const two = await kept.put(given(lines(2)), 'nq.jsonl');
  await kept.name('nq', two.sha256);
  expect(await kept.find('nq')).toEqual(two);
  expect(await kept.find(snapshotRef(one))).toEqual(one);
  const names = (await kept.list()).map(({ sha256, names }) => [sha256, names]);
  expect(Object.fromEntries(names)).toEqual({ [one.sha256]: [], [two.sha256]: ['nq'] });
  await kept.remove('nq');
  for (const ref of ['nq', '../nq', 'sha256:no']) {
    await expect(kept.find(ref)).rejects.toMatchObject({ type: 'UnknownText' });
  }
  await expect(kept.remove('nq')).rejects.toMatchObject({ type: 'UnknownText' });
  await expect(kept.name('a b', one.sha256)).rejects.toMatchObject({ type: 'BadInput' });
});

it('store nothing of a bad data set', async () => {
  const store = new MemoryStore();
  const bad = snapshots(store).put(given([...lines(5), { question: 3 }]), 'bad.jsonl');
  await expect(bad).rejects.toThrow('dataset[5] is not a question');
  expect(await keysOf(store)).toEqual([]);
});

it('are not there half, wherever a put was stopped, and are there after the next', async () => {
  const values = lines(30, { passages: [{ title: '', text: 'x'.repeat(100_000) }] });
  for (let writes = 0; writes < 5; writes++) {
    const store = oldStore();
    const set = store.set.bind(store);
    let left = writes;
    store.set = async (key, value) => {
      if (left-- === 0) throw new Error('killed');
      return set(key, value);
    };
    const kept = snapshots(store);
    const put = () => kept.put(given(values), 'nq.jsonl');
    const stopped = await put().then(
      () => false,
      () => true,
    );
    if (!stopped) continue;
    expect(await kept.list()).toEqual([]);
    const { sha256 } = await put();
    expect(await allOf(kept.read(sha256))).toHaveLength(30);
    // What the first put has left goes, and what the second has written stays.
    await kept.prune(soon(), new Set([sha256]));
    expect(await keysOf(store)).toHaveLength(5);
    expect(await allOf(kept.read(sha256))).toHaveLength(30);
  }
});

it('go when they are old, and have no name, and nothing uses them', async () => {
  const store = new MemoryStore();
  const kept = snapshots(store);
  const [named, used, spare] = await Promise.all(
    [1, 2, 3].map((count) => kept.put(given(lines(count)), 'nq.jsonl')),
  );
  if (!named || !used || !spare) throw new Error('unreachable');
  await kept.name('nq', named.sha256);
  const needed = new Set([used.sha256]);
  expect(await kept.prune(Date.now() - 60_000, needed)).toBe(0);
  expect(await kept.prune(soon(), needed, true)).toBe(1);
  expect(await kept.list()).toHaveLength(3);
  expect(await kept.prune(soon(), needed)).toBe(1);
  expect((await kept.list()).map(({ sha256 }) => sha256).sort()).toEqual(
    [named.sha256, used.sha256].sort(),
  );
  expect(await keysOf(store)).toHaveLength(5);
  await expect(kept.find(snapshotRef(spare))).rejects.toThrow('datasets put');
  const again = await kept.put(given(lines(3)), 'nq.jsonl');
  expect(await allOf(kept.read(again.sha256))).toHaveLength(3);
});
