/** Counts in a store; those of servers are tested with their stores. */
import { describe, expect, test } from 'vitest';
import { storeCounters } from '../../stores/counters.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { openStore } from '../../stores/open-store.js';
import { temporaryFolder } from '../support/folder.js';
import { keysOf } from '../support/stores.js';
import { countersContract } from './counters-contract.js';

const path = await temporaryFolder();

describe('in memory', () => {
  const shared = new MemoryStore();
  countersContract(async () => shared);
});

describe('in a folder', () => {
  countersContract(() => openStore(path, 'rates'));
});

test('counts whose time is over are not kept for ever', async () => {
  const store = new MemoryStore();
  const counters = storeCounters(store);
  for (let i = 0; i < 10; i++) await counters.add(`old ${i}`, 1, 0);
  for (let i = 0; i < 2_000; i++) await counters.add('new', 1, 60);
  await expect.poll(() => keysOf(store)).toEqual(['count:new']);
});
