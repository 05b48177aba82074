/** Which workers serve a task queue, as the Temporal server knows. */
import { hostname } from 'node:os';
import { connectTemporal } from '../../temporal-dev/temporal-connection.js';
import type { TemporalConnectConfig } from '../temporal-target.js';

/** WORKFLOW in temporal.api.enums.v1.TaskQueueType; the client package re-exports no enums. */
const WORKFLOW_QUEUE = 1;
const TIMEOUT_MS = 3_000;
/** A poll is renewed at least so often: who has not asked since then is gone. */
const RENEWED_MS = 70_000;

/**
 * By what each calls itself: process and machine. One on another machine that ended a minute ago may
 * be among them.
 */
export async function otherWorkers(
  { connectConfig, namespace }: { connectConfig: TemporalConnectConfig; namespace: string },
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
    const names = new Set(recent.map(({ identity }) => identity || 'unnamed'));
    return [...names].filter(mayRun);
  } finally {
    await connection.close();
  }
}

/** The SDK names a worker by its process and machine: of this machine it is known who still runs. */
function mayRun(identity: string): boolean {
  const [, pid, machine] = /^(\d+)@(.*)$/.exec(identity) ?? [];
  if (machine !== hostname()) return true;
  try {
    return process.kill(Number(pid), 0);
  } catch (error) {
    // It runs as somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
