/** What Temporal's SDK and server take of a question by themselves, as a program to compare with. */
import { randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import { attributesAtStart } from '../../workflows/search-attributes.js';
import type { Peer } from './peers.js';
import { startRemote } from './remote.js';
import type { Stage } from './stage.js';
import type { WorkerRequest, WorkerUsage } from './worker-usage.js';

const TASK_QUEUE = 'temporal-alone';

/** Starts its worker, on the same server; it asks no model and searches nothing. */
export async function startTemporalAlone({ connection, takeDown }: Stage): Promise<Peer> {
  const env = { TEMPORAL_ADDRESS: connection.options.address, TASK_QUEUE };
  const worker = await startRemote<WorkerRequest, WorkerUsage>('temporal-alone-worker.js', env);
  takeDown(() => worker.stop());
  const { workflow } = new Client({ connection });
  return {
    name: 'Temporal alone',
    worker,
    async ask(question) {
      await workflow.execute('temporalAlone', {
        taskQueue: TASK_QUEUE,
        workflowId: randomUUID(),
        args: [question],
        typedSearchAttributes: attributesAtStart('sure', {}),
        staticSummary: question,
      });
    },
  };
}
