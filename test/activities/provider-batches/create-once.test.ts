/** A batch is made once, whichever of its attempts stands still, and where. */
import { expect, it } from 'vitest';
import { createBatchOnce } from '../../../activities/provider-batches/make-batch.js';
import { RequestPool } from '../../../activities/provider-batches/pool.js';
import type { BatchEndpoint, BatchStatus } from '../../../llm/batch-endpoint.js';
import { MemoryStore } from '../../../stores/memory-store.js';
import { gate } from '../../support/run.js';

const plan = { pool: 'm', number: 3, file: 'file-1' };
const { signal } = new AbortController();

const batch = (id: string): BatchStatus => ({
  id,
  state: 'open',
  output: null,
  errors: null,
  problems: [],
  counts: { total: 1, completed: 0, failed: 0 },
});

/** An endpoint whose first look at the list, or first creation, waits until it is let go. */
async function setUp(stands: 'find' | 'create') {
  const pool = new RequestPool(new MemoryStore());
  await pool.plans.add('m', 3, { mark: 'mark-3', ids: ['r'], without: [], bytes: 1, at: 0 });
  const made: string[] = [];
  const cancelled: string[] = [];
  const { opened, open } = gate();
  const calls = { find: 0, create: 0 };
  const standing = async (call: 'find' | 'create') => {
    if (++calls[call] === 1 && call === stands) await opened;
  };
  const endpoint: Pick<BatchEndpoint, 'find' | 'create' | 'cancel'> = {
    async find() {
      const newest = made.at(-1);
      await standing('find');
      return newest === undefined ? undefined : batch(newest);
    },
    async create() {
      await standing('create');
      const id = `batch-${made.length}`;
      made.push(id);
      return batch(id);
    },
    async cancel(id) {
      cancelled.push(id);
    },
  };
  const batching = { pool, endpoint: endpoint as BatchEndpoint };
  const attempt = (name: string) => createBatchOnce(plan, { name, lagMs: 0, signal }, batching);
  /** Resolves once the first creation stands still. */
  const stood = () => expect.poll(() => calls.create).toBe(1);
  return { attempt, made, cancelled, letGo: open, pool, stood };
}

const conflict = { type: 'Conflict', retryable: true };

it('is not made by an attempt that stood still while another one made it', async () => {
  const { attempt, made, letGo } = await setUp('find');
  const first = attempt('first');
  const refused = expect(first).rejects.toMatchObject(conflict);
  await expect(attempt('second')).resolves.toMatchObject({ id: 'batch-0' });
  letGo();
  await refused;
  expect(made).toEqual(['batch-0']);
});

it('is cancelled by an attempt that stood still in the request while another one made it', async () => {
  const { attempt, made, cancelled, letGo, stood } = await setUp('create');
  const first = attempt('first');
  const refused = expect(first).rejects.toMatchObject(conflict);
  await stood();
  await expect(attempt('second')).resolves.toMatchObject({ id: 'batch-0' });
  letGo();
  await refused;
  expect({ made, cancelled }).toEqual({ made: ['batch-0', 'batch-1'], cancelled: ['batch-1'] });
});

it('is cancelled so where the batch that was followed is over by then', async () => {
  const { attempt, cancelled, letGo, pool, stood } = await setUp('create');
  const first = attempt('first');
  const refused = expect(first).rejects.toMatchObject(conflict);
  await stood();
  await attempt('second');
  await pool.dropPlan('m', 3);
  letGo();
  await refused;
  expect(cancelled).toEqual(['batch-1']);
});

it('stays where the attempt that came later has taken it over', async () => {
  const { attempt, made, cancelled, letGo, pool, stood } = await setUp('create');
  const first = attempt('first');
  await stood();
  await pool.claim('m', 3, 'second');
  letGo();
  const refused = expect(first).rejects.toMatchObject(conflict);
  await expect.poll(() => made).toHaveLength(1);
  await expect(attempt('second')).resolves.toMatchObject({ id: 'batch-0' });
  await refused;
  expect({ made, cancelled }).toEqual({ made: ['batch-0'], cancelled: [] });
});

it('is adopted where an attempt before has made it', async () => {
  const { attempt, made, letGo } = await setUp('find');
  letGo();
  await attempt('first');
  await expect(attempt('second')).resolves.toMatchObject({ id: 'batch-0' });
  expect(made).toEqual(['batch-0']);
});
