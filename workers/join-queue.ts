import { hostname } from 'node:os';
import {
  Client,
  type ConnectionLike,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowHandle,
} from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { servingProcesses } from '../client/recent-pollers.js';
import { Failure, succeeds } from '../core/failure.js';
import { ROLES } from '../core/roles.js';
import { otherStores, type StoreIds, storesWorkflowId } from '../workflows/queue/stores.js';
import { QUEUE_TYPE, queueOf } from '../workflows/queue/task-queues.js';

export interface QueueToJoin {
  connection: ConnectionLike;
  namespace: string;
  taskQueue: string;
  dataConverter?: DataConverter | undefined;
}

/** How long another worker may take to say that it is there. */
const ANSWER_MS = 10_000;
/** How often it is tried where others join at the same time. */
const TRIES = 5;

/**
 * Compares the ids of the stores with those in the memo of a workflow that is open for the queue:
 * the first worker starts it. Where they differ and no worker answers for the queue any more, this
 * worker's take their place.
 *
 * @throws Failure BadInput where another worker of the queue has other stores, with the settings to
 *   share.
 */
export async function joinQueue(queue: QueueToJoin, stores: StoreIds): Promise<void> {
  const { connection, namespace, taskQueue, dataConverter } = queue;
  const client = new Client({ connection, namespace, ...(dataConverter && { dataConverter }) });
  const workflowId = storesWorkflowId(taskQueue);
  for (let tries = 1; ; tries++) {
    try {
      await client.workflow.start('queueStores', {
        ...{ workflowId, taskQueue, args: [stores], memo: { stores } },
        staticSummary: 'what the workers of this queue share',
        workflowIdConflictPolicy: 'FAIL',
      });
      return;
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError) || tries === TRIES) throw error;
    }
    const { runId, memo } = await client.workflow.getHandle(workflowId).describe();
    const differing = otherStores((memo?.stores ?? {}) as StoreIds, stores);
    if (differing.length === 0) return;
    const found = client.workflow.getHandle(workflowId, runId);
    if ((await isAnswered(found)) || (await isServed(queue))) {
      // Where several workers move a queue at once, it is the first of them that answers.
      if ((await found.describe()).status.name !== 'RUNNING') continue;
      throw refusal(taskQueue, differing);
    }
    // Where another worker has ended it, the next try meets what that one has started.
    await found
      .terminate('its workers are gone, and one with other stores has come')
      .catch(() => {});
  }
}

/**
 * Tells whether others serve a part of the queue: workers for model calls or searches alone, and
 * those of a version that is not yet the current one, answer no query.
 */
async function isServed({ connection, namespace, taskQueue }: QueueToJoin): Promise<boolean> {
  const own = `${process.pid}@${hostname()}`;
  const queues = ROLES.map((role) => queueOf(role, taskQueue));
  const found = await Promise.all(
    queues.flatMap((name) =>
      Object.values(QUEUE_TYPE).map((type) =>
        servingProcesses({ connection, namespace }, name, type),
      ),
    ),
  );
  return found.flat().some((identity) => identity !== own);
}

/** Tells whether a worker of the queue is there. */
function isAnswered(handle: WorkflowHandle): Promise<boolean> {
  return succeeds(handle.client.withDeadline(Date.now() + ANSWER_MS, () => handle.query('stores')));
}

function refusal(taskQueue: string, differing: readonly string[]): Failure {
  return new Failure(
    'BadInput',
    `The workers of the task queue ${taskQueue} keep ${differing.join('; ')} elsewhere than this one would. Share what is named, or give this worker a queue of its own (--task-queue, or DURABLE_RAG_TASK_QUEUE); where all workers are to move, stop them first, and those on other machines a minute before.`,
  );
}
