/**
 * Asks a question of which Temporal keeps nothing in clear: worker and client have the same codec.
 *
 * It needs `npm install durable-rag @temporalio/worker`, a model (OPENAI_BASE_URL or OPENAI_API_KEY)
 * and a Temporal server: `npx durable-rag dev`.
 */
import { NativeConnection, Worker } from '@temporalio/worker';
import { createClient } from 'durable-rag';
import { durableRag } from 'durable-rag/worker';
import { codecOf } from './codec.js';

const taskQueue = 'own-codec';
const codec = [codecOf(process.env.CODEC_SECRET ?? 'only for a try')];
const connection = await NativeConnection.connect({
  address: process.env.TEMPORAL_ADDRESS ?? '127.0.0.1:7233',
});
const worker = await Worker.create({ connection, taskQueue, plugins: [durableRag({ codec })] });
const client = await createClient({ taskQueue, codec });
const retrieval = {
  passages: [{ title: 'Heron', text: 'A heron stands in the water and waits for fish.' }],
};
const { answer } = await worker.runUntil(
  client.ask('base', { question: 'What does a heron wait for?', retrieval }),
);
console.log(answer);
await client.close();
await connection.close();
