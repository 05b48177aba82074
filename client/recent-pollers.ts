/** The workers of a task queue, as the Temporal server knows them. */
import type { ConnectionLike } from '@temporalio/client';
import { isAlive } from '../core/is-alive.js';
import { QUEUE_TYPE, type QueueType } from '../workflows/queue/task-queues.js';

/** Polls are renewed at least this often: an older poller is gone. */
const RENEWED_MS = 70_000;

interface Server {
  connection: ConnectionLike;
  namespace: string;
}

type TaskQueue = Awaited<ReturnType<ConnectionLike['workflowService']['describeTaskQueue']>>;
type Poller = TaskQueue['pollers'][number];

/** Returns the pollers that the server describes. One that ended a minute ago may be among them. */
export async function recentPollers(
  { connection, namespace }: Server,
  taskQueue: string,
  type: QueueType,
): Promise<Poller[]> {
  const { pollers } = await connection.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: type,
  });
  const since = Date.now() - RENEWED_MS;
  return pollers.filter(
    ({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1000 >= since,
  );
}

/**
 * Returns the processes that poll, by their names; those of this machine that have ended are left
 * out.
 */
export async function servingProcesses(
  server: Server,
  taskQueue: string,
  type: QueueType = QUEUE_TYPE.workflow,
): Promise<string[]> {
  const pollers = await recentPollers(server, taskQueue, type);
  const names = new Set(pollers.map(({ identity }) => identity || 'unnamed'));
  return [...names].filter(mayRun);
}

/** Tells whether the process may run: the SDK names a worker by process and machine. */
function mayRun(identity: string): boolean {
  const [, pid, machine] = /^(\d+)@(.*)$/.exec(identity) ?? [];
  return isAlive({ pid: Number(pid), host: machine });
}
