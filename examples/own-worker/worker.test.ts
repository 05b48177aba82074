/** Tests of a workflow of one's own: with a scripted model, and that it follows an earlier history. */
import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { scriptedModel } from 'durable-rag/testing';
import { durableRag } from 'durable-rag/worker';

const address = process.env.TEMPORAL_ADDRESS;
const workflowsPath = fileURLToPath(new URL('workflows.js', import.meta.url));

test('answers a letter, and follows the history of one', async () => {
  // Without an address it fetches Temporal's dev server.
  const server = address
    ? await TestWorkflowEnvironment.createFromExistingServer({ address })
    : await TestWorkflowEnvironment.createLocal();
  const model = scriptedModel([{ step: 'read', say: 'Fish' }]);
  const env = { DURABLE_RAG_HOME: await mkdtemp(join(tmpdir(), 'letters-')) };
  const worker = await Worker.create({
    connection: server.nativeConnection,
    taskQueue: 'tested-letters',
    workflowsPath,
    activities: { send: async (answer: string) => `Dear reader: ${answer}` },
    plugins: [durableRag({ model, defaultModel: 'scripted', env })],
  });
  const letter = { title: 'Heron', text: 'A heron waits for fish.' };
  const handle = await server.client.workflow.start('answerLetter', {
    taskQueue: 'tested-letters',
    workflowId: 'tested-letter',
    args: ['What does a heron wait for?', [letter]],
  });
  assert.equal(await worker.runUntil(handle.result()), 'Dear reader: Fish');
  assert.match(model.requests[0]?.prompt ?? '', /waits for fish/);

  const history = await handle.fetchHistory();
  await Worker.runReplayHistory({ workflowsPath, plugins: [durableRag()] }, history);
  await server.teardown();
});
