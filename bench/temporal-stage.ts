/** What every measurement stands on: a temporary folder and a Temporal server of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { homeFolder } from '../stores/home.js';
import { freePort } from '../temporal-dev/tcp-ports.js';
import {
  type DynamicConfig,
  obtainTemporalBinary,
  startTemporalServer,
} from '../temporal-dev/temporal-server.js';
import { quietReporter } from './speed/quiet-reporter.js';

export interface TemporalStage {
  folder: string;
  temporal: { address: string; port: number; serverVersion: string };
  connection: Connection;
  /** Says how something that was set up is taken down; what was set up last goes first. */
  takeDown(step: () => unknown): void;
}

/**
 * Sets it up, lets `work` use it, and takes everything down whatever happens.
 *
 * @param dynamicConfig of the server, in place of what the local stack has.
 */
export async function onTemporal<T>(
  work: (stage: TemporalStage) => Promise<T>,
  dynamicConfig: DynamicConfig = {},
): Promise<T> {
  const { env } = process;
  const folder = await mkdtemp(join(tmpdir(), 'durable-rag-bench-'));
  const steps = [() => rm(folder, { recursive: true, force: true }) as unknown];
  try {
    const context = { env, home: homeFolder(env), reporter: quietReporter };
    const binary = await obtainTemporalBinary(context);
    const port = await freePort();
    const server = await startTemporalServer({
      binary: binary.path,
      port,
      uiPort: null,
      dbFilename: join(folder, 'temporal.db'),
      logFile: join(folder, 'temporal.log'),
      dynamicConfig,
    });
    steps.push(() => server.stop());
    const { address, serverVersion } = server;
    // A page of a history that holds texts is longer than gRPC's usual limit.
    const channelArgs = { 'grpc.max_receive_message_length': -1 };
    const connection = await Connection.connect({ address, channelArgs });
    steps.push(() => connection.close());
    const temporal = { address, port, serverVersion };
    return await work({ folder, temporal, connection, takeDown: (step) => steps.push(step) });
  } finally {
    for (const step of steps.reverse()) await step();
  }
}
