/** The worker of the workflow; worker.py runs beside it, on another queue or another machine. */
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { durableRag } from 'durable-rag/worker';

const address = process.env.TEMPORAL_ADDRESS ?? 'localhost:7233';
const taskQueue = 'animals';
const connection = await NativeConnection.connect({ address });
const worker = await Worker.create({
  connection,
  taskQueue,
  workflowsPath: fileURLToPath(new URL('workflows.js', import.meta.url)),
  plugins: [durableRag()],
});
const client = new Client({ connection: await Connection.connect({ address }) });
const args = ['What does a heron wait for?'];
const asked = () =>
  client.workflow.execute('askPython', { taskQueue, workflowId: 'python-1', args });
console.log(await worker.runUntil(asked));
await client.connection.close();
await connection.close();
