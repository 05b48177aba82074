/** A batch is made once, whichever of its attempts stands still, and where. */
import { expect, it } from 'vitest';
import { createOnce } from '../../../activities/batching/make-batch.js';
import { RequestPool } from '../../../activities/batching/pool.js';
import type { BatchEndpoint, BatchStatus } from '../../../llm/batch-endpoint.js';
import { MemoryStore } from '../../../stores/memory-store.js';

const plan = { pool: 'm', number: 3, file: 'file-1' };
const { signal } = new AbortController();

const batch = (id: string): BatchStatus => ({
  ...{ id, state: 'open', output: null, errors: null, problems: [] },
  counts: { total: 1, completed: 0, failed: 0 },
});

/** An endpoint whose first look at the list waits until it is let go. */
async function setUp() {
  const pool = new RequestPool(new MemoryStore());
  await pool.plan('m', 3, { mark: 'mark-3', ids: ['r'], without: [], bytes: 1, at: 0 });
  const made: string[] = [];
  let letGo = () => {};
  const stands = new Promise<void>((go) => {
    letGo = go;
  });
  let looks = 0;
  const endpoint: Pick<BatchEndpoint, 'find' | 'create'> = {
    find: async (mark) => {
      const listed = made.includes(mark) ? batch(mark) : undefined;
      if (++looks === 1) await stands;
      return listed;
    },
    create: async ({ mark }) => {
      made.push(mark);
      return batch(mark);
    },
  };
  const batching = { pool, endpoint: endpoint as BatchEndpoint };
  const attempt = (name: string) => createOnce(plan, { name, lagMs: 0, signal }, batching);
  return { attempt, made, letGo };
}

it('is not made by an attempt that stood still while another one made it', async () => {
  const { attempt, made, letGo } = await setUp();
  const first = attempt('first');
  const refused = expect(first).rejects.toMatchObject({ type: 'Conflict' });
  await expect(attempt('second')).resolves.toMatchObject({ id: 'mark-3' });
  letGo();
  await refused;
  expect(made).toEqual(['mark-3']);
});

it('is adopted where an attempt before has made it', async () => {
  const { attempt, made, letGo } = await setUp();
  letGo();
  await attempt('first');
  await expect(attempt('second')).resolves.toMatchObject({ id: 'mark-3' });
  expect(made).toEqual(['mark-3']);
});
