/** A worker that dies while no limit of requests is set: its questions begin their calls themselves. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import type { RunHandle } from '../../client/run.js';
import { handleOf, scheduledIn } from '../support/history.js';
import type { Disturbed } from './disturbances.js';
import type { Stage } from './stage.js';

/** So many are under way or answered when the worker dies. */
const REQUESTS = 10;

/** Kills a worker once calls are made, and limits the requests of all that come after it. */
export async function killUnlimited(
  { model, workers: [worker] }: Pick<Stage, 'model' | 'workers'>,
  run: RunHandle,
  requestsPerMinute: number,
): Promise<Disturbed> {
  if (!worker) throw new Error('There is no worker to be killed.');
  while (model.server.requests.length < REQUESTS) await sleep(50);
  const from = Date.now();
  await worker.kill();
  const to = Date.now();
  await run.set({ requestsPerMinute });
  return { name: `kill ${worker.name}`, from, to };
}

/** The task queues that questions had their calls on. */
export async function queuesOfCalls(
  connection: Connection,
  workflowIds: readonly string[],
  step: string,
): Promise<string[]> {
  const queues = await Promise.all(
    workflowIds.map(async (workflowId) => {
      const history = await handleOf(connection, workflowId).fetchHistory();
      return scheduledIn(history).find(({ name }) => name === step)?.queue ?? 'none';
    }),
  );
  return [...new Set(queues)].sort();
}
