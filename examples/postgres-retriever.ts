/**
 * Answers a question from the table "animals" of a PostgreSQL database, at CORPUS_URL. It has
 * columns id, title and text.
 *
 * It needs `npm install durable-rag @temporalio/worker`, a model (OPENAI_API_KEY, or
 * OPENAI_BASE_URL), and a Temporal server: `npx durable-rag dev`.
 */
import { NativeConnection, Worker } from '@temporalio/worker';
import { createClient } from 'durable-rag';
import { postgresRetriever } from 'durable-rag/retrievers';
import { durableRag } from 'durable-rag/worker';

const taskQueue = 'postgres-retriever';
const connection = await NativeConnection.connect({
  address: process.env.TEMPORAL_ADDRESS ?? '127.0.0.1:7233',
});
const animals = postgresRetriever({
  url: process.env.CORPUS_URL ?? 'postgres://me@127.0.0.1/corpora',
  table: 'animals',
});
const worker = await Worker.create({
  connection,
  taskQueue,
  plugins: [durableRag({ corpora: { animals } })],
});
const client = await createClient({ taskQueue });
const { answer, evidence } = await worker.runUntil(
  client.ask('base', {
    question: 'What does a heron wait for?',
    retrieval: { corpus: 'animals' },
  }),
);
console.log(`${answer} (${evidence.join()})`);
await client.close();
await connection.close();
await animals.close();
