/** A worker of one's own: its workflows and activities, and ours by the plugin, in one. */
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { durableRag } from 'durable-rag/worker';

export const send = async (answer: string) => `Dear reader: ${answer}`;

const address = process.env.TEMPORAL_ADDRESS ?? 'localhost:7233';
const taskQueue = 'letters';
const connection = await NativeConnection.connect({ address });
const worker = await Worker.create({
  connection,
  taskQueue,
  workflowsPath: fileURLToPath(new URL('workflows.js', import.meta.url)),
  activities: { send },
  plugins: [durableRag()],
});

// Elsewhere `await worker.run()`; here it polls for as long as one letter takes.
const client = new Client({ connection: await Connection.connect({ address }) });
const letter = { title: 'Heron', text: 'A heron waits for fish.' };
const sent = await worker.runUntil(
  client.workflow.execute('answerLetter', {
    taskQueue,
    workflowId: 'letter-1',
    args: ['What does a heron wait for?', [letter]],
  }),
);
console.log(sent);
await client.connection.close();
await connection.close();
