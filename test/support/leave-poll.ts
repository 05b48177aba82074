/** Workers that the Temporal server lists, and that are not there. */
import { Connection } from '@temporalio/client';
import { expect, inject } from 'vitest';
import { recentPollers } from '../../client/recent-pollers.js';
import { QUEUE_TYPE } from '../../workflows/queue/task-queues.js';

/** Asks once for work in a worker's name: the server remembers for minutes who has done so. */
export async function leavePoll(
  taskQueue: string,
  identity: string,
  type: keyof typeof QUEUE_TYPE = 'workflow',
): Promise<void> {
  const connection = await Connection.connect({ address: inject('temporalAddress') });
  const server = { connection, namespace: 'default' };
  const leaving = new AbortController();
  const poll = { namespace: 'default', taskQueue: { name: taskQueue }, identity };
  const { workflowService } = connection;
  const ask = (): Promise<unknown> =>
    type === 'workflow'
      ? workflowService.pollWorkflowTaskQueue(poll)
      : workflowService.pollActivityTaskQueue(poll);
  // The server refuses one without a deadline.
  const polling = connection
    .withDeadline(Date.now() + 60_000, () => connection.withAbortSignal(leaving.signal, ask))
    .catch(() => {});
  const names = async () =>
    (await recentPollers(server, taskQueue, QUEUE_TYPE[type])).map((one) => one.identity);
  await expect.poll(names).toContain(identity);
  leaving.abort();
  await polling;
  await connection.close();
}
