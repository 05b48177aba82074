/** Which workers serve a task queue already. */
import { connectTemporal } from '../../temporal-dev/temporal-connection.js';
import { servingProcesses } from '../recent-pollers.js';
import type { TemporalConnectConfig } from '../temporal-target.js';

const TIMEOUT_MS = 3_000;

/** By what each calls itself, as `servingProcesses` has it. */
export async function otherWorkers(
  { connectConfig, namespace }: { connectConfig: TemporalConnectConfig; namespace: string },
  taskQueue: string,
): Promise<string[]> {
  const { connection } = await connectTemporal(connectConfig, TIMEOUT_MS);
  try {
    return await servingProcesses({ connection, namespace }, taskQueue);
  } finally {
    await connection.close();
  }
}
