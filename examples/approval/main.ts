/** A worker with the workflow that asks for approval, a start of it, and somebody who approves. */
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { durableRag } from 'durable-rag/worker';

const address = process.env.TEMPORAL_ADDRESS ?? 'localhost:7233';
const taskQueue = 'approvals';
const connection = await NativeConnection.connect({ address });
const worker = await Worker.create({
  connection,
  taskQueue,
  workflowsPath: fileURLToPath(new URL('workflows.js', import.meta.url)),
  plugins: [durableRag()],
});
const client = new Client({ connection: await Connection.connect({ address }) });

const passages = [{ title: 'Heron', text: 'A heron waits for fish.' }];
const question = { id: '1', question: 'What does a heron wait for?', answers: ['Fish'], passages };
const input = { run: 'approved-herons', method: 'base', dataset: [question] };

await worker.runUntil(async () => {
  const workflowId = 'approve/approved-herons';
  const run = await client.workflow.start('approvedRun', { taskQueue, workflowId, args: [input] });
  // A person types: temporal workflow update execute --workflow-id ... --name decide --input true
  console.log(await run.executeUpdate('decide', { args: [true] }));
  const { state, outcomes } = await run.result();
  console.log(state, outcomes.answered);
});
await client.connection.close();
await connection.close();
