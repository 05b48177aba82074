/** Which workers serve a task queue, as the Temporal server knows. */
import { hostname } from 'node:os';
import type { ConnectionLike } from '@temporalio/client';

/** temporal.api.enums.v1.TaskQueueType; the client package re-exports no enums. */
export const QUEUE_TYPE = { workflow: 1, activity: 2 } as const;

/** A poll is renewed at least so often: who has not asked since then is gone. */
const RENEWED_MS = 70_000;

/**
 * By what each calls itself, process and machine as a rule. One on another machine that ended a
 * minute ago may be among them.
 */
export async function recentPollers(
  { connection, namespace }: { connection: ConnectionLike; namespace: string },
  taskQueue: string,
  type: (typeof QUEUE_TYPE)[keyof typeof QUEUE_TYPE] = QUEUE_TYPE.workflow,
): Promise<string[]> {
  const { pollers } = await connection.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: type,
  });
  const since = (Date.now() - RENEWED_MS) / 1000;
  const recent = (pollers ?? []).filter(
    ({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) >= since,
  );
  const names = new Set(recent.map(({ identity }) => identity || 'unnamed'));
  return [...names].filter(mayRun);
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
