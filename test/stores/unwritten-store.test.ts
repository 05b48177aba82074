/** A store to look at: all that a store does, and nothing of it where it is looked at. */
import { expect, it } from 'vitest';
import { MemoryStore } from '../../stores/memory-store.js';
import { unwrittenStore } from '../../stores/unwritten-store.js';
import { keyValueStoreContract } from '../../testing/key-value-store-contract.js';
import { allOf, holdsTo } from '../support/contract.js';

const opened = new Map<string, ReturnType<typeof unwrittenStore>>();
async function open(namespace: string) {
  const store = opened.get(namespace) ?? unwrittenStore(new MemoryStore());
  opened.set(namespace, store);
  return store;
}
holdsTo(keyValueStoreContract({ open }));

it('has what the store has, and leaves it as it is', async () => {
  const store = new MemoryStore();
  for (const key of ['kept', 'changed', 'deleted']) await store.set(key, 'before');
  const looking = unwrittenStore(store);
  expect(await looking.setIfAbsent('kept', 'after')).toBe(false);
  expect(await looking.compareAndSet('changed', 'before', 'after')).toBe(true);
  await looking.delete('deleted');
  await looking.set('new', 'after');
  const keysOf = async (one: typeof looking) =>
    (await allOf(one.list(''))).map(({ key }) => key).sort();
  expect(await keysOf(looking)).toEqual(['changed', 'kept', 'new']);
  expect(await looking.get('changed')).toBe('after');
  expect(await looking.get('deleted')).toBeUndefined();
  expect(await keysOf(store)).toEqual(['changed', 'deleted', 'kept']);
  expect(await store.get('changed')).toBe('before');
});
