/** Which workers serve a task queue, as the Temporal server knows. */
import { connectTemporal } from '../../temporal-dev/temporal-connection.js';
import type { RunningStack } from './local.js';

/** WORKFLOW in temporal.api.enums.v1.TaskQueueType; the client package re-exports no enums. */
const WORKFLOW_QUEUE = 1;
const TIMEOUT_MS = 3_000;
/** A poll is renewed at least so often: who has not asked since then is gone. */
const RENEWED_MS = 70_000;

/** By what each calls itself: process and machine. One that was killed a minute ago may be among them. */
export async function otherWorkers(
  { connectConfig, namespace }: Pick<RunningStack['temporal'], 'connectConfig' | 'namespace'>,
  taskQueue: string,
): Promise<string[]> {
  const { connection } = await connectTemporal(connectConfig, TIMEOUT_MS);
  try {
    const { pollers } = await connection.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: taskQueue },
      taskQueueType: WORKFLOW_QUEUE,
    });
    const since = (Date.now() - RENEWED_MS) / 1000;
    const recent = (pollers ?? []).filter(
      ({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) >= since,
    );
    return [...new Set(recent.map(({ identity }) => identity || 'unnamed'))];
  } finally {
    await connection.close();
  }
}
