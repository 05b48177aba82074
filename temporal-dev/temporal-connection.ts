import { Connection } from '@temporalio/client';
import type { TemporalConnectConfig } from '../client/temporal-target.js';

/**
 * Connects and asks for the server's version: proof that a Temporal server answers there.
 *
 * @throws whatever the SDK throws when nothing, or something else, answers within `timeoutMs`.
 */
export async function connectTemporal(
  config: TemporalConnectConfig,
  timeoutMs: number,
): Promise<{ connection: Connection; serverVersion: string }> {
  const connection = await Connection.connect({ ...config, connectTimeout: timeoutMs });
  try {
    const { serverVersion } = await connection.workflowService.getSystemInfo({});
    return { connection, serverVersion: serverVersion ?? '' };
  } catch (error) {
    await connection.close();
    throw error;
  }
}
