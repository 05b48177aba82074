/**
 * Answers a question with a model of Anthropic's, through the AI SDK. Any other provider of the AI
 * SDK takes its place.
 *
 * It needs `npm install durable-rag @temporalio/worker @ai-sdk/anthropic@3`, ANTHROPIC_API_KEY, and
 * a Temporal server: `npx durable-rag dev`.
 */
import { createAnthropic } from '@ai-sdk/anthropic';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createClient } from 'durable-rag';
import { aiSdkModel } from 'durable-rag/ai-sdk';
import { boundedFetch } from 'durable-rag/ports';
import { durableRag } from 'durable-rag/worker';

const taskQueue = 'own-model';
const connection = await NativeConnection.connect({
  address: process.env.TEMPORAL_ADDRESS ?? '127.0.0.1:7233',
});
const anthropic = createAnthropic({ fetch: boundedFetch() });
const model = aiSdkModel(anthropic, { provider: 'anthropic' });
const worker = await Worker.create({
  connection,
  taskQueue,
  plugins: [durableRag({ model, defaultModel: 'claude-haiku-4-5' })],
});
const client = await createClient({ taskQueue });
const { answer, steps } = await worker.runUntil(
  client.ask('base', {
    question: 'What does a heron wait for?',
    retrieval: {
      passages: [{ title: 'Heron', text: 'A heron stands in the water and waits for fish.' }],
    },
  }),
);
console.log(`${answer} (${steps.read?.models.join()})`);
await client.close();
await connection.close();
