/** A store to look at: all that a store does, and nothing of it where it is looked at. */
import { expect, it } from 'vitest';
import { MemoryStore } from '../../stores/memory-store.js';
import { unwrittenStore } from '../../stores/unwritten-store.js';
import { keyValueStoreContract } from '../../testing/key-value-store-contract.js';
import { holdsTo } from '../support/contract.js';
import { byName, keysOf } from '../support/stores.js';

holdsTo(keyValueStoreContract({ open: byName(unwrittenStore) }));

it('has what the store has, and leaves it as it is', async () => {
  const store = new MemoryStore();
  for (const key of ['kept', 'changed', 'deleted']) await store.set(key, 'before');
  const looking = unwrittenStore(store);
  expect(await looking.setIfAbsent('kept', 'after')).toBe(false);
  expect(await looking.compareAndSet('changed', 'before', 'after')).toBe(true);
  await looking.delete('deleted');
  await looking.set('new', 'after');
  expect(await keysOf(looking)).toEqual(['changed', 'kept', 'new']);
  expect(await looking.get('changed')).toBe('after');
  expect(await looking.get('deleted')).toBeUndefined();
  expect(await keysOf(store)).toEqual(['changed', 'deleted', 'kept']);
  expect(await store.get('changed')).toBe('before');
});
