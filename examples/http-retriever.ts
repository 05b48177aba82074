/**
 * Answers a question from a search service of your own, at SEARCH_URL: docs/adapters.md says what it
 * is asked and answers.
 *
 * It needs `npm install durable-rag @temporalio/worker`, a model (OPENAI_API_KEY, or
 * OPENAI_BASE_URL), and a Temporal server: `npx durable-rag dev`.
 */
import { NativeConnection, Worker } from '@temporalio/worker';
import { createClient } from 'durable-rag';
import { httpRetriever } from 'durable-rag/retrievers';
import { durableRag } from 'durable-rag/worker';

const taskQueue = 'http-retriever';
const connection = await NativeConnection.connect({
  address: process.env.TEMPORAL_ADDRESS ?? '127.0.0.1:7233',
});
const animals = httpRetriever({
  url: process.env.SEARCH_URL ?? 'http://127.0.0.1:8080/search',
  headers: { 'x-api-key': process.env.SEARCH_KEY ?? '' },
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
