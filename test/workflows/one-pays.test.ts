/** Calls that the server gives to other attempts while the first ones wait for their answers. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type WorkflowHandle } from '@temporalio/client';
import { expect, it, type TestContext } from 'vitest';
import { freePort } from '../../temporal-dev/tcp-ports.js';
import { startTemporalServer } from '../../temporal-dev/temporal-server.js';
import { temporaryFolder } from '../support/folder.js';
import { heldWorkers } from '../support/held-workers.js';
import { soon } from '../support/run.js';
import { QUESTION } from '../support/telephone.js';
import { temporalBinary } from '../support/temporal-binary.js';

/** Longer than the server waits for a heartbeat. */
const AWAY_MS = 12_000;

/** A Temporal server that can go away and come back with what it had. */
async function mortalServer({ onTestFinished }: TestContext) {
  const folder = await temporaryFolder();
  const binary = await temporalBinary();
  const port = await freePort();
  const start = () =>
    startTemporalServer({
      binary,
      port,
      uiPort: null,
      dbFilename: join(folder, 'temporal.db'),
      logFile: join(folder, 'temporal.log'),
    });
  let server = await start();
  onTestFinished(() => server.stop());
  return {
    address: server.address,
    async goAway(ms: number) {
      await server.stop();
      await sleep(ms);
      server = await start();
    },
  };
}

/** The highest attempt among the activities that are open. */
async function attemptOf(handle: WorkflowHandle): Promise<number> {
  const { raw } = await handle.describe();
  return Math.max(0, ...(raw.pendingActivities ?? []).map(({ attempt }) => attempt ?? 0));
}

it('a call in flight is paid for once, though the Temporal server was away', async (test) => {
  const { address, goAway } = await mortalServer(test);
  const { client, connection, server, startWorker, open, timesSent } = await heldWorkers(
    test,
    (step) => step === 'summarize',
    address,
  );
  const worker = startWorker();
  const workflowId = randomUUID();
  const handle = await client.start('sure', { question: QUESTION }, { workflowId });
  await soon(() => expect(server.inFlight, worker.output()).toBe(2));
  await goAway(AWAY_MS);
  const workflow = new Client({ connection }).workflow.getHandle(workflowId);
  await soon(async () => expect(await attemptOf(workflow)).toBeGreaterThan(1));
  // Time for the worker to be told that its first attempts are over.
  await sleep(3000);
  open();
  const result = await handle.result();
  expect(result).toMatchObject({ answer: 'Bell', usage: { calls: 7, cachedCalls: 0 } });
  expect(Object.values(timesSent())).toEqual(Array(7).fill(1));
  expect(server.aborted).toBe(0);
  expect(result.usage).not.toHaveProperty('estimated');
});
