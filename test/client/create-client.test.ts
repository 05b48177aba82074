/** A program finds the same server and task queue as the command line, from the same environment. */
import { Connection } from '@temporalio/client';
import { afterEach, expect, inject, it, vi } from 'vitest';
import { createClient } from '../../client/index.js';
import { freePort } from '../../temporal-dev/tcp-ports.js';
import { handleOf } from '../support/history.js';

afterEach(() => vi.unstubAllEnvs());

function environment(variables: Record<string, string>): void {
  for (const name of ['TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE']) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
}

it('follows the port and the task queue of the local stack', async () => {
  const [, port = ''] = inject('temporalAddress').split(':');
  environment({ DURABLE_RAG_TEMPORAL_PORT: port, DURABLE_RAG_TASK_QUEUE: 'queue-of-nobody' });
  const client = await createClient();
  const { workflowId } = await client.start('base', { question: 'Who?' });
  const connection = await Connection.connect({ address: inject('temporalAddress') });
  const handle = handleOf(connection, workflowId);
  expect((await handle.describe()).taskQueue).toBe('queue-of-nobody');
  await handle.terminate();
  await client.close();
  await connection.close();
});

it('takes an address that is configured before the port', async () => {
  const port = String(await freePort());
  environment({
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    DURABLE_RAG_TEMPORAL_PORT: port,
  });
  const client = await createClient();
  await expect(client.getRun('no-such-run')).rejects.toMatchObject({ type: 'UnknownRun' });
  await client.close();
});

it('says where nobody answers, and which setting is wrong', async () => {
  const port = String(await freePort());
  environment({ DURABLE_RAG_TEMPORAL_PORT: port });
  await expect(createClient()).rejects.toMatchObject({
    type: 'Connection',
    message: expect.stringContaining(`127.0.0.1:${port}`),
  });
  environment({ DURABLE_RAG_TEMPORAL_PORT: 'seven' });
  await expect(createClient()).rejects.toMatchObject({
    type: 'Connection',
    message: expect.stringContaining('DURABLE_RAG_TEMPORAL_PORT must be a port'),
  });
});

it('says how to name a custom method, if there is none of the name', async () => {
  environment({ TEMPORAL_ADDRESS: inject('temporalAddress') });
  const client = await createClient();
  await expect(client.startNamed('sur', { question: 'Who?' })).rejects.toThrow(
    /"sur"; did you mean sure\? \(a custom method must be passed to the client: methods: \['sur'\]\)$/,
  );
  await expect(client.startNamed('lookTwice', { question: 'Who?' })).rejects.toThrow(
    /\(or --config FILE\) \(a custom method must be passed to the client: /,
  );
  await client.close();
});
