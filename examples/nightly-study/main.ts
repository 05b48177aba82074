/** A worker with the nightly study, its schedule, and tonight's start of it at once. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, Connection, type WorkflowFailedError } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { durableRag } from 'durable-rag/worker';
import type { nightly } from './workflows.js';

const address = process.env.TEMPORAL_ADDRESS ?? 'localhost:7233';
const taskQueue = 'nights';
const connection = await NativeConnection.connect({ address });
const workflowsPath = fileURLToPath(new URL('workflows.js', import.meta.url));
const plugins = [durableRag()];
const worker = await Worker.create({ connection, taskQueue, workflowsPath, plugins });
const client = new Client({ connection: await Connection.connect({ address }) });

const passages = [{ title: 'Heron', text: 'A heron waits for fish.' }];
const question = { id: '1', question: 'What does a heron wait for?', answers: ['Fish'], passages };
const least = Number(process.env.LEAST ?? 0.02);
const methods = ['noRetrieval', 'base'] as [string, string];
const args: Parameters<typeof nightly> = [{ dataset: [question], methods, metric: 'em', least }];

await worker.runUntil(async () => {
  const schedule = await client.schedule.create({
    scheduleId: 'nightly-study',
    spec: { cronExpressions: ['0 2 * * *'] },
    action: { type: 'startWorkflow', workflowType: 'nightly', taskQueue, args },
  });
  await schedule.trigger();
  const started = async () => (await schedule.describe()).info.recentActions[0]?.action.workflow;
  while (!(await started())) await sleep(200);
  const night = client.workflow.getHandle((await started())?.workflowId ?? '');
  const failed = ({ cause }: WorkflowFailedError) => `failed: ${cause?.message}`;
  console.log(await night.result().catch(failed));
  await schedule.delete();
});
await client.connection.close();
await connection.close();
