/** The collector of batches, a question whose calls go by batch, and the shards of such a run. */
import { Client } from '@temporalio/client';
import { expect } from 'vitest';
import { poolName } from '../../../activities/provider-batches/pool.js';
import { safeFileName } from '../../../stores/runs/file-results.js';
import { handleOf, historiesOf } from '../history.js';
import { setUpBatching } from '../provider-batches.js';
import type { Scenario } from './recording.js';

/** The same whenever it is recorded. */
const PROVIDER = 'recorded';

/** So that it goes on in a new history after a batch or two. */
const EVENTS = 60;

export const batchingRecordings: Record<string, Scenario> = {
  /** Two questions, whose first batch expires without an answer. */
  'collect-batches collect-batches-continued base-by-batch': async () => {
    const set = await setUpBatching(
      2,
      { batch: (n) => (n === 0 ? { expires: 0 } : undefined) },
      { run: 'recorded', options: { passages: 0 } },
      PROVIDER,
    );
    const { spec, harness, workflowId } = set;
    const { connection, taskQueue } = harness;
    const { workflow } = new Client({ connection });
    const pool = poolName(PROVIDER, 'm');
    const collector = `batches/${taskQueue}/${pool}`;
    const { firstExecutionRunId } = await workflow.start('collectBatches', {
      workflowId: collector,
      taskQueue,
      args: [{ pool, model: 'm' }, null, EVENTS],
    });
    const run = await workflow.start('evaluateRun', { workflowId, taskQueue, args: [spec] });
    expect(await run.result()).toMatchObject({ outcomes: { answered: 2 } });
    const histories = await historiesOf(connection, collector, firstExecutionRunId);
    expect(histories.length).toBeGreaterThan(1);
    const asked = handleOf(connection, `${workflowId}/${safeFileName('n/0')}`);
    return [histories[0] ?? {}, histories.at(-1) ?? {}, asked.fetchHistory()];
  },

  /** Five questions over shards of two places, three begun a history. */
  'evaluate-run-sharded evaluate-run-sharded-continued evaluate-run-shard': async () => {
    const options = { passages: 0 };
    const set = await setUpBatching(5, {}, { run: 'recorded', options }, PROVIDER);
    const { spec, harness, workflowId } = set;
    const { connection, taskQueue } = harness;
    const { workflow } = new Client({ connection });
    const args = [spec, null, 3, 2];
    const handle = await workflow.start('evaluateRun', { workflowId, taskQueue, args });
    expect(await handle.result()).toMatchObject({ outcomes: { answered: 5 } });
    const { firstExecutionRunId } = handle;
    const histories = await historiesOf(connection, workflowId, firstExecutionRunId);
    expect(histories.length).toBeGreaterThan(1);
    const shard = `${workflowId}/shards/${firstExecutionRunId}/0`;
    // It ends when it is told that the run has.
    await workflow.getHandle(shard).result();
    return [
      histories[0] ?? {},
      histories.at(-1) ?? {},
      await handleOf(connection, shard).fetchHistory(),
    ];
  },
};
