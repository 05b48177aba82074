/** Counts in memory; those of servers are tested with their stores. */
import { describe, expect, test } from 'vitest';
import { memoryCounters, openCounters } from '../../stores/open-counters.js';
import { countersContract } from './counters-contract.js';

describe('in memory', () => {
  const shared = memoryCounters();
  countersContract(async () => shared);

  test('are what a folder gives', async () => {
    const counters = await openCounters('/nowhere/that/is/made');
    expect(await counters.add('a', 5, 60)).toBe(5);
  });
});
