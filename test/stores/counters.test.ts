/** Counts in a store, by processes that share it; those of servers are tested with their stores. */
import { fork } from 'node:child_process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { storeCounters } from '../../stores/counters.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { openStore } from '../../stores/open-store.js';
import { allOf } from '../support/contract.js';
import { temporaryFolder } from '../support/folder.js';
import { countersContract } from './counters-contract.js';

const path = await temporaryFolder();

describe('in memory', () => {
  const shared = new MemoryStore();
  countersContract(async () => shared);
});

describe('in a folder', () => {
  countersContract(() => openStore(path, 'rates'));

  test('are one for two processes, however many add at once', async () => {
    const store = await openStore(path, 'rates');
    onTestFinished(() => store.close());
    const counters = storeCounters(store);
    const child = fork(new URL('./counters-child.mjs', import.meta.url), [path]);
    onTestFinished(() => void child.kill('SIGKILL'));
    const told = () => new Promise<number[]>((resolve) => child.once('message', resolve));
    await told();
    const theirs = told();
    child.send({ key: 'both', times: 100 });
    const ours = await Promise.all(Array.from({ length: 100 }, () => counters.add('both', 1, 60)));
    const all = [...ours, ...(await theirs)].sort((a, b) => a - b);
    expect(all).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
  });
});

test('counts whose time is over are not kept for ever', async () => {
  const store = new MemoryStore();
  const counters = storeCounters(store);
  for (let i = 0; i < 10; i++) await counters.add(`old ${i}`, 1, 0);
  for (let i = 0; i < 2_000; i++) await counters.add('new', 1, 60);
  const keys = async () => (await allOf(store.list(''))).map(({ key }) => key);
  await expect.poll(keys).toEqual(['count:new']);
});
