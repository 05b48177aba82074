/** Questions about the telephone that worker processes answer, and a model that keeps them waiting. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { inject, type TestContext } from 'vitest';
import { createClient } from '../../client/create-client.js';
import { openSearch } from '../../retrieval/open-search.js';
import { ensureSampleCorpus } from '../../retrieval/sample-corpus.js';
import type { ScriptedStep } from '../../testing/scripted-model.js';
import { launched } from './command-line.js';
import { temporaryFolder } from './folder.js';
import { startModelServer } from './model-server.js';
import { gate } from './run.js';
import { promptOf, telephoneReply } from './telephone.js';

/**
 * A model server that holds some answers back until `open`, and what a worker process needs.
 *
 * @param address Of the Temporal server; that of the test run by default.
 */
export async function heldWorkers(
  { onTestFinished }: TestContext,
  isHeld: (step: ScriptedStep, prompt: string) => boolean,
  address = inject('temporalAddress'),
) {
  const { open, opened } = gate();
  const server = await startModelServer({
    async reply(request) {
      const prompt = promptOf(request);
      const { step, text } = telephoneReply(prompt);
      if (isHeld(step, prompt)) await opened;
      return { text };
    },
  });
  const folder = await temporaryFolder();
  await ensureSampleCorpus(await openSearch({ corpora: join(folder, 'corpora') }));
  const connection = await Connection.connect({ address });
  const taskQueue = `test-${randomUUID()}`;
  const client = await createClient({ connection, taskQueue });
  onTestFinished(async () => {
    open();
    await connection.close();
    await server.close();
  });
  const startWorker = () => {
    const worker = launched(['worker'], {
      TEMPORAL_ADDRESS: address,
      OPENAI_BASE_URL: server.baseUrl,
      DURABLE_RAG_HOME: folder,
      DURABLE_RAG_STORE: join(folder, 'store'),
      DURABLE_RAG_TASK_QUEUE: taskQueue,
    });
    onTestFinished(async () => {
      await worker.end('SIGKILL');
    });
    return worker;
  };
  return {
    client,
    connection,
    server,
    startWorker,
    open,
    /** How often each call was sent; those that differ in nothing are one. */
    timesSent() {
      const times: Record<string, number> = {};
      for (const { body } of server.requests) {
        const prompt = promptOf(body);
        const which = /Prediction: (.*)|Passage 1: (\w+)/.exec(prompt)?.slice(1).join('') ?? '';
        const call = `${telephoneReply(prompt).step} ${which}`.trim();
        times[call] = (times[call] ?? 0) + 1;
      }
      return times;
    },
  };
}
