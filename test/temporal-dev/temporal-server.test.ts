import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../temporal-dev/tcp-ports.js';
import { startTemporalServer } from '../../temporal-dev/temporal-server.js';
import { registerSearchAttributes } from '../../workers/search-attributes.js';
import { SEARCH_ATTRIBUTES } from '../../workflows/search-attributes.js';
import { temporaryFolder } from '../support/folder.js';
import { temporalBinary } from '../support/temporal-binary.js';

const binary = await temporalBinary();

async function start(dbFilename?: string) {
  const server = await startTemporalServer({
    binary,
    dbFilename,
    port: await freePort(),
    uiPort: null,
    logFile: join(await temporaryFolder(), 'temporal.log'),
  });
  onTestFinished(() => server.stop());
  const connection = await Connection.connect({ address: server.address });
  onTestFinished(() => connection.close());
  return { server, connection };
}

async function attributesOf(connection: Connection, namespace = 'default'): Promise<string[]> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  return Object.keys(customAttributes ?? {});
}

test('a server has the search attributes, before and after a restart with its data', async () => {
  const dbFilename = join(await temporaryFolder(), 'data', 'temporal.db');
  const before = await start(dbFilename);
  expect(await attributesOf(before.connection)).toEqual(
    expect.arrayContaining([...SEARCH_ATTRIBUTES]),
  );
  await new Client({ connection: before.connection }).workflow.start('waits', {
    workflowId: 'kept',
    taskQueue: 'nobody',
  });
  await before.server.stop();
  expect(await before.server.exited).toEqual({ name: 'Temporal', expected: true, code: 0 });

  const { connection } = await start(dbFilename);
  expect(await attributesOf(connection)).toEqual(expect.arrayContaining([...SEARCH_ATTRIBUTES]));
  const kept = await new Client({ connection }).workflow.getHandle('kept').describe();
  expect(kept.status.name).toBe('RUNNING');

  // Those that a namespace lacks are registered.
  await connection.workflowService.registerNamespace({
    namespace: 'other',
    workflowExecutionRetentionPeriod: msToTs('1 day'),
  });
  expect(await attributesOf(connection, 'other')).not.toContain('QaRun');
  await expect.poll(() => registerSearchAttributes(connection, 'other')).toBeUndefined();
  expect(await attributesOf(connection, 'other')).toEqual(
    expect.arrayContaining([...SEARCH_ATTRIBUTES]),
  );
});

test('a server that ends as it starts shows the end of its log', async () => {
  const port = await freePort();
  const folder = await temporaryFolder();
  const logFile = join(folder, 'temporal.log');
  const noFile = startTemporalServer({ binary, port, uiPort: null, dbFilename: folder, logFile });
  await expect(noFile).rejects.toThrow(/ended as it started.*temporal.log.*\n.*unable to open/s);

  const nothing = startTemporalServer({ binary: '/bin/false', port, uiPort: null, logFile });
  await expect(nothing).rejects.toThrow('Temporal ended as it started');
});
